"""How explanations that were made elsewhere come into a run, and what the run keeps of them."""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from espalier.datasets.forms import LARGEST_FILE, FileName, Form
from espalier.fields import Name, Several
from espalier.lab.foreign.lines import ForeignLine, lines_of_file
from espalier.problems import BadParameter

MOST_EXPLAINERS = 16


class ExplanationFile(Form):
    """Explanations that were made elsewhere, one object a line (JSONL): `text`, `words` or `offsets`, `scores`, and
    where they are known `spans`, `method`, `model`, `target`."""

    kind: Literal["file"] = "file"
    name: FileName = Field(examples=["captum.jsonl"])
    content: str = Field(max_length=LARGEST_FILE)

    @cached_property
    def lines(self) -> tuple[ForeignLine, ...]:
        """Checked, each explanation once: what is wrong is refused with its line."""
        found: dict[tuple[str, str | None, str], ForeignLine] = {}
        for line in lines_of_file(self.name, self.content):
            key = (line.method, line.model, line.text)
            if key in found:
                raise BadParameter(
                    f"{line.where} explains a text again: got what {found[key].where} has, possible is one line for "
                    "each text, model and method"
                )
            found[key] = line
        if not found:
            raise BadParameter(f"no explanations: got none in {self.name}, possible is one object a line")
        return tuple(found.values())

    @cached_property
    def explainers(self) -> tuple[str, ...]:
        """Their names, in the order in which they come."""
        names = tuple(dict.fromkeys(line.method for line in self.lines))
        if len(names) > MOST_EXPLAINERS:
            raise BadParameter(
                f"too many explainers: got {len(names)} names of methods in {self.name}, possible are up to "
                f"{MOST_EXPLAINERS}"
            )
        return names


class KeptExplanations(Form):
    """Explanations that were given once and are the run's own now: see its rows."""

    kind: Literal["kept"] = "kept"
    name: FileName
    explainers: Several[Name] = Field(max_length=MOST_EXPLAINERS)


Explanations = Annotated[ExplanationFile | KeptExplanations, Field(discriminator="kind")]
