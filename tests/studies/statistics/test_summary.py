"""What counts, and the paragraph."""

from espalier.studies.design import StudyDesign
from espalier.studies.statistics.summary import summarise

COHERENCE = StudyDesign(title="T", protocol="coherence", models=("lstm",), methods=("hedge", "lime"))
PREFERENCE = StudyDesign(title="T", protocol="preference", models=("lstm",), methods=("lime", "mahe"))


def rule(results, name: str):
    return next(each for each in results.exclusions if each.rule == name)


def test_people_who_fail_an_attention_check_are_left_out_and_can_be_taken_in_again(judged) -> None:
    rows = [judged(person=1, sentence=1), judged(person=2, sentence=1)]
    rows += [judged(person=2, sentence=-1, kind="attention", answer="negative", expected="positive", task="check")]
    left_out = summarise("s", COHERENCE, 0, rows)
    assert (left_out.people, rule(left_out, "attention").people, rule(left_out, "attention").applied) == (1, 1, True)
    taken_in = summarise("s", COHERENCE, 0, rows, keep=["attention"])
    assert (taken_in.people, rule(taken_in, "attention").people, rule(taken_in, "attention").applied) == (2, 1, False)
    assert "Kept" in taken_in.paragraph


def test_answers_faster_than_anybody_reads_are_left_out(judged) -> None:
    rows = [judged(sentence=1, milliseconds=999), judged(sentence=2, milliseconds=1000)]
    results = summarise("s", COHERENCE, 0, rows)
    assert (results.answers, rule(results, "fast").answers) == (1, 1)


def test_extra_answers_and_people_the_owner_left_out_do_not_count(judged) -> None:
    rows = [judged(person=1), judged(person=2, extra=True), judged(person=3)]
    results = summarise("s", COHERENCE, 0, rows, excluded=[3])
    assert results.answers == 1
    assert rule(results, "extra").answers == rule(results, "excluded").answers == 1


def test_rehearsals_and_people_never_mix(judged) -> None:
    rows = [judged(person=1), judged(person=1, simulated=True, answer="negative"), judged(person=2, simulated=True)]
    real, rehearsed = summarise("s", COHERENCE, 0, rows), summarise("s", COHERENCE, 0, rows, simulated=True)
    assert (real.answers, rehearsed.answers) == (1, 2)
    assert "REHEARSAL" in rehearsed.paragraph
    assert "REHEARSAL" not in real.paragraph


def test_the_time_of_a_screen_counts_once_however_many_lines_it_has(judged) -> None:
    rows = [judged(sentence=1, task="a", method=method, milliseconds=9000) for method in ("hedge", "lime")]
    rows.append(judged(sentence=2, task="b", milliseconds=3000))
    assert summarise("s", COHERENCE, 0, rows).times.median == 6000


def test_the_paragraph_of_mahe_s_result_names_its_tests(judged) -> None:
    rows = [
        judged(sentence=k, item=f"i{k}", method="mahe" if k < 26 else "lime", other="lime" if k < 26 else "mahe")
        for k in range(40)
    ]
    says = summarise("s", PREFERENCE, 3, rows).paragraph
    assert "65.0% (26 of 40" in says
    assert "exact binomial test, p = 0.0403 one-sided, p = 0.0807 two-sided" in says
    assert "normal approximation, one-sided: p = 0.0289" in says
    assert "seed 3" in says


def test_no_answers_are_said_to_be_none() -> None:
    results = summarise("s", COHERENCE, 0, [])
    assert results.paragraph == "No answers yet."
    assert results.coherence[0].coherent.share is None
