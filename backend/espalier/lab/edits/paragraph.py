"""An edit in words, for a paper, and what to keep in mind when reading its numbers."""

from collections.abc import Iterator

from espalier.lab.edits.design import EditDesign
from espalier.lab.interactions.editing import Accuracy, Edit
from espalier.lab.wording import source_of, span

FEW, FEW_KEPT = 10, 500


def paragraph(found: Edit, design: EditDesign, kept: int) -> str:
    words = " … ".join(found.words)
    said = [
        f"We edited {found.of} at “{words}” in one text (MAHE, section 4.2; c = {found.strength:g}, {found.steps} "
        f"steps, {kept:,} other texts taught to stay as they are; seed {design.seed}).",
        f"There the term for {found.target} went from {found.here_before:+.2f} to {found.here_after:+.2f} (log-odds).",
        f"Of {found.held_out} other texts with these words ({source_of(design.dataset)}), {found.before.count} had its "
        f"sign before, {found.turned.count} of which have the opposite sign after{_share(found)}; in all, "
        f"{found.after.count} have it.",
    ]
    if found.accuracy is not None:
        said.append(_accuracy(found.accuracy))
    return " ".join(said)


def _share(found: Edit) -> str:
    turned = found.turned
    return "" if turned.share is None else f" ({turned.share:.3f}{span(turned)}, Wilson's interval)"


def _accuracy(found: Accuracy) -> str:
    if found.before.share is None or found.after.share is None or found.lost.mean is None:
        return "There were no labelled texts to count right answers of."
    return (
        f"The accuracy on {found.before.of:,} labelled texts went from {found.before.share:.3f}{span(found.before)} "
        f"to {found.after.share:.3f}{span(found.after)}: {found.lost.mean:.1f} points lost{span(found.lost, 1)} "
        "(bootstrap over texts)."
    )


def warnings(found: Edit, kept: int) -> Iterator[str]:
    if found.here_before * found.here_after > 0:
        yield "the term in the edited text itself was not turned round: more steps, or a larger rate, may do it"
    if found.held_out < FEW:
        yield f"{found.held_out} other texts could be asked about: mind how wide the interval is"
    if found.before.of and not found.before.count:
        yield "no other text had the sign of the edited text before: there was nothing to turn round elsewhere"
    if found.accuracy is None:
        yield "there were no labelled texts: what the edit cost in accuracy is not known"
    elif (low := found.accuracy.lost.low) is not None and low > 0:
        few = f"; {kept} texts were taught to stay as they are, more of them mostly help" if kept < FEW_KEPT else ""
        yield f"the edited model is right less often than the original, beyond chance{few}"
