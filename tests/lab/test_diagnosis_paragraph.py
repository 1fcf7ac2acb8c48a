"""A diagnosis in words: every number in it is one of the results, and what was not found is not said."""

from typing import Any

from espalier.datasets.forms import Samples
from espalier.diagnostics.documents import ContrastWord, Depth, Fitted, Interacting, Linearity, OverfittingTest
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisResults, ModelFindings
from espalier.lab.diagnosis.paragraph import paragraph
from espalier.lab.interactions.context_free import ContextFree
from espalier.lab.interactions.fit import FitLine
from espalier.statistics.documents import MeanInterval, RatioInterval, Share

DESIGN = DiagnosisDesign(
    models=("sst2-cnn",),
    diagnostics=("linearity", "depth", "contrast", "overfitting", "fit", "context-free"),
    linear="sst2-bow",
    training=Samples(task="topic"),
    interactions=(("not", "good"),),
)


def mean(value: float | None, n: int = 40) -> MeanInterval:
    ends = (None, None) if value is None else (value - 0.125, value + 0.125)
    return MeanInterval(mean=value, low=ends[0], high=ends[1], n=n)


def ratio(value: float, sentences: int) -> RatioInterval:
    few = sentences < 5
    low, high = (None, None) if few else (value - 0.5, value + 0.5)
    return RatioInterval(ratio=value, low=low, high=high, sentences=sentences, count=sentences)


def share(count: int, of: int) -> Share:
    return Share(count=count, of=of, share=count / of if of else None, low=0.5 if of else None, high=1 if of else None)


def word(name: str, value: float, sentences: int) -> ContrastWord:
    found = ratio(value, sentences)
    return ContrastWord(word=name, alone=found, parent=found, parent_among_phrases=found)


def fit(found: int) -> FitLine:
    error = [mean(value if found else None, found) for value in (0.5, 0.375, 0.25)]
    return FitLine(
        model="sst2-cnn",
        found=share(found, 40),
        left_out=0,
        linear=error[0],
        one=error[1],
        last=error[2],
        first_gain=mean(0.125),
        further_gain=mean(0.125),
        first_p=0.0002,
        further_p=0.25,
        errors=[],
    )


def signs(of: int) -> ContextFree:
    return ContextFree(
        words=("not", "good"),
        model="sst2-cnn",
        texts=50,
        sign=-1,
        same=share(of - 1 if of else 0, of),
        clear=share(of, of),
        mean=mean(-2.0),
        gap=1.0,
        random=mean(0.75, 10),
        rank=0.1,
        occurrences=[],
        random_pairs=[],
    )


def said(texts: int = 40, **found: Any) -> str:
    nothing: dict[str, Any] = {
        "linearity": None,
        "depths": [],
        "contrast": None,
        "heaviest": [],
        "overfitting": None,
        "fit": None,
        "context_free": [],
    }
    model = ModelFindings(model="sst2-cnn", texts=texts, problems={}, **(nothing | found))
    results = DiagnosisResults(
        diagnosis="d",
        texts=40,
        training_texts=60,
        complete=True,
        seed=3,
        models=[model],
        warnings=[],
        quantities=[],
        paragraph="",
    )
    return paragraph(results, DESIGN)


def test_every_diagnostic_is_said_with_its_numbers() -> None:
    found = said(
        linearity=Linearity(words=mean(0.625), phrases=mean(0.75)),
        depths=[Depth(top=1, depth=mean(1.5), chance=mean(2.5), difference=mean(-1.0), p=0.0001)],
        contrast=Interacting(average=mean(0.25), words=[word("not", 2.0, 12), word("yet", 9.0, 2)]),
        overfitting=OverfittingTest(
            train=Fitted(variance=mean(0.25, 60), loss=None, accuracy=None),
            test=Fitted(variance=mean(0.5), loss=None, accuracy=None),
            difference=0.25,
            p=0.0125,
            permutations=9_999,
        ),
        fit=fit(30),
        context_free=[signs(40)],
    )
    assert "diagnosed sst2-cnn on 40 texts (the project's sentiment samples) and 60 training texts" in found
    assert "(bootstrap, BCa, 10,000 draws; seed 3)" in found
    assert "weights of sst2-bow by 0.625 [0.500, 0.750], n = 40, and values of phrases by 0.750" in found
    assert "mean depth 1.50 [1.38, 1.62], n = 40, against 2.50 for any of its nodes" in found
    assert "p < 0.001" in found
    assert "2.00 [1.50, 2.50] for not (n = 12)" in found
    assert "yet" not in found  # in two texts only: no interval, nothing to say
    assert "is 0.25 [0.125, 0.375] on training texts, n = 60, and 0.5 [0.375, 0.625] on others, n = 40" in found
    assert "permutation test, p = 0.013" in found
    assert "found in 30 of 40 texts" in found
    assert "from 0.500 [0.375, 0.625] with words alone to 0.375 [0.250, 0.500] with one interaction" in found
    assert "“not … good” is negative in 39 of 40 texts (0.975 [0.500, 1.000]), against 0.750" in found


def test_an_interaction_that_a_model_does_not_have_has_no_sign() -> None:
    nothing = signs(4).model_copy(update={"sign": 0, "same": share(0, 4)})
    assert said(context_free=[nothing]).endswith("the interaction “not … good” has no sign in any of 4 texts.")


def test_what_was_not_found_is_not_said() -> None:
    assert said(texts=0) == "Nothing has been found out yet."
    found = said(linearity=Linearity(words=mean(None, 0), phrases=mean(None, 0)), fit=fit(0), context_free=[signs(0)])
    assert "correlate" not in found
    assert "an interaction was found in 0 of 40 texts; “not … good” could be asked about in none of 50 texts" in found
