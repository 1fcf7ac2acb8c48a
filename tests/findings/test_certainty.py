"""How sure the numbers are said to be."""

import subprocess
import sys

import pytest

from espalier.explain.explanation import RoundingRecord
from espalier.explain.plan import GameShape
from espalier.explain.registry import methods
from espalier.explain.toy import Toy
from espalier.findings.certainty import certainty
from espalier.findings.document import document
from espalier.findings.provenance import provenance
from espalier.games.references import references


def test_exact_numbers_are_called_exact(judged):
    assert certainty(judged("leave-one-out")) == "exact"


@pytest.mark.parametrize("name", ["soc", "lime", "sampled-shapley", "mahe"])
def test_drawn_numbers_have_standard_errors(judged, name):
    assert certainty(judged(name, "it is not a good film")) == "± standard error"


def test_a_ladder_made_before_all_was_scored_says_how_sure_its_cuts_are(judged):
    explanation = judged("hedge", parameters={"form": "economical", "certainty": 0.6})
    assert not explanation.result.exact
    assert certainty(explanation).startswith("economical: cuts ")
    assert certainty(judged("hedge", parameters={"form": "economical", "certainty": 1})) == "exact"


@pytest.mark.parametrize("name", ["integrated-gradients", "deep-shap"])
def test_an_approximation_that_draws_nothing_has_no_standard_error(judged, name):
    # How far the values are from adding up is an error, but no standard one.
    result = methods()[name].result(exact=False, values=(0.2,) * 11, base=0.0, full=2.1, additivity_error=0.1)
    explanation = judged("leave-one-out").model_copy(update={"result": result})
    assert certainty(explanation) == "approximate"
    assert provenance(explanation).startswith("approximate · ")


def test_what_is_written_says_how_sure_it_is_and_where_it_comes_from(judged):
    written = document(judged("leave-one-out"))
    assert written["certainty"] == "exact"
    assert written["provenance"].startswith("exact · ")
    assert "absent words hidden (pad) · seed 0" in written["provenance"]
    assert written["reading"]["spans"][3]["score"] == written["result"]["values"][3]
    assert "speaks most for positive" in written["finding"]


def test_every_finding_of_a_partial_result_can_be_said(judged):
    """Partial results are drawn with a headline, too."""
    method = methods()["sampled-shapley"]
    toy = Toy(lambda rows: rows.sum(axis=1))
    toy.run(method.start(GameShape(tuple("abcdefghijk"), ("class",), 0), method.parameters()))
    for partial in toy.partials:
        said = document(judged("leave-one-out").model_copy(update={"result": partial}))
        assert said["finding"]


@pytest.mark.slow
def test_a_worker_needs_no_terminal_library():
    forbidden = "import sys; sys.modules['rich'] = sys.modules['typer'] = None; import espalier.engine.worker.__main__"
    loaded = "; print(*sorted(name for name in sys.modules if name.startswith('espalier.pictures')))"
    done = subprocess.run([sys.executable, "-c", forbidden + loaded], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_every_reference_says_in_short_what_it_does(judged):
    for name, kind in references().items():
        assert provenance(judged("leave-one-out").model_copy(update={"reference": name})).count(kind.in_short) == 1
        assert kind.in_short
    unknown = judged("leave-one-out").model_copy(update={"reference": "dreamt"})
    assert "absent words by dreamt" in provenance(unknown)


def test_a_run_that_was_to_stop_at_an_error_says_whether_it_did(judged):
    text = "it is not a good film but a long and very loud one with little to say"
    explanation = judged("shap", text, parameters={"budget": 120, "stop_at": 0.05})
    assert certainty(explanation).startswith("± standard error, error about <0.1%")
    missed = explanation.result.model_copy(update={"reached": False, "relative_error": 0.071})
    said = certainty(explanation.model_copy(update={"result": missed}))
    assert said == "± standard error, error about 7.1%: more than was asked for"


@pytest.mark.parametrize(
    ("error", "said"), [(0.1301, "0.14"), (0.13, "0.13"), (2.001, "2.01"), (0.00213, "0.0022"), (0.0, "0.00")]
)
def test_the_bound_of_half_precision_is_said_and_never_rounded_down(judged, error, said):
    rounding = RoundingRecord(precision="bfloat16", error=error, usual=error / 9, rows=128)
    plain = judged("leave-one-out")
    explanation = plain.model_copy(update={"rounding": rounding})
    assert certainty(explanation) == f"exact, in bfloat16: each value within {said} of float32's"
    assert document(explanation)["rounding"]["error"] == error
    assert "rounding" not in document(plain)
