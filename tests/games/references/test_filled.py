"""References that a masked language model fills in, on a tiny model and against plain transformers."""

import itertools
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
import torch
from tests.models.masked.made import SIX, masked_model, network

from espalier.engine.asking import answered
from espalier.engine.driver import Drive
from espalier.engine.explainer import Explainer
from espalier.engine.host import ModelHost
from espalier.engine.run import PIECE_ROWS, Run
from espalier.engine.stand_ins import stand_ins
from espalier.explain.plan import ask
from espalier.explain.request import ExplanationRequest
from espalier.findings.document import document
from espalier.games.game import make_game
from espalier.games.pool import Pool
from espalier.games.references import Elsewhere, Wish, reference
from espalier.models.callable import CallableModel
from espalier.problems import BadParameter, NotSupported
from espalier.text import read

TEXT = "the film is not good"
EVERYTHING = np.array(list(np.ndindex((2,) * 5)), dtype=bool)
PLAIN = network()
WORTH = {"good": 2.0, "dull": -2.0, "not": -1.0, "film": 0.25}


def judge(texts):
    """A rule whose words add up, but for `not`, which turns them round."""
    scores = []
    for text in texts:
        words = text.lower().split()
        score = sum(WORTH.get(word, 0.0) for word in words)
        scores.append(-score if "not" in words else score)
    positive = 1 / (1 + np.exp(-np.array(scores)))
    return np.stack([1 - positive, positive], axis=1)


@pytest.fixture(scope="module")
def filler():
    torch.set_num_threads(1)
    return masked_model()


@pytest.fixture(scope="module")
def model():
    return CallableModel(judge, ["bad", "good"])


@pytest.fixture(scope="module")
def explainer(model, filler):
    made = Explainer({"own": model, "tiny": filler, "mlm-general": filler}.__getitem__, lambda _: pytest.fail("a tree"))
    yield made
    made.close()


def game_of(model, filler, text=TEXT, **wish):
    return make_game(
        model, [read(text)], reference="conditional", wish=Wish(filler="tiny", **wish), other_model=lambda _: filler
    )


def shown_by(game, filler, coalitions):
    with ModelHost(filler) as host:
        return answered(game.shown(coalitions), lambda _: host)


def plan(coalitions=EVERYTHING):
    values = yield from ask(coalitions)
    return values


def values_of(game, filler, model, coalitions=EVERYTHING, batch_tokens=None):
    with ModelHost(model, batch_tokens) as host, ModelHost(filler, batch_tokens) as other:
        return Drive(plan(coalitions), game, Pool(), host, "probability", other_host=lambda _: other).run()


@cache
def logits(ids):
    with torch.inference_mode():
        return PLAIN(input_ids=torch.tensor([ids])).logits[0].double()


def shares(filler, ids, read_at):
    """Probabilities of the six words at a place, by plain transformers."""
    chosen = torch.softmax(logits(tuple(ids))[read_at], 0)[filler.whole_words.tokens]
    return (chosen / chosen.sum()).numpy()


def by_enumeration(filler, coalition, in_turn, says=lambda text: judge([text])[0]):
    """The expectation over all fillings of what is said of them, each with its probability, multiplied out by hand."""
    words = TEXT.split()
    absent = [place for place, present in enumerate(coalition) if not present]
    own = {word: int(filler.whole_words.token_of(word)[0]) for word in SIX}

    def ids(filled):
        inside = [own[w] if coalition[i] else filled.get(i, filler.blank_id) for i, w in enumerate(words)]
        return [2, *inside, 3]

    mean = np.zeros(2)
    for choice in itertools.product(range(len(SIX)), repeat=len(absent)):
        probability, filled = 1.0, {}
        for place, word in zip(absent, choice, strict=True):
            probability *= shares(filler, ids(filled if in_turn else {}), place + 1)[word]
            filled[place] = own[SIX[word]]
        text = " ".join(SIX[choice[absent.index(i)]] if i in absent else w for i, w in enumerate(words))
        mean += probability * says(text)
    return mean


def test_with_every_word_present_it_is_the_model_itself(model, filler):
    found = values_of(game_of(model, filler), filler, model, np.ones((1, 5), dtype=bool))
    np.testing.assert_allclose(found.result, judge([TEXT]), rtol=1e-14)
    assert found.counts.elsewhere == 0
    game = game_of(model, filler)
    rows = answered(game.fill(np.ones((1, 5), dtype=bool)), lambda _: pytest.fail("nobody is asked"))
    assert [row.ids.tolist() for row in rows] == [list(game.encoding.ids)] * 4


@pytest.mark.parametrize("fill", ["drawn", "in-turn"])
def test_the_mean_of_many_draws_is_the_expectation_that_enumeration_gives(model, filler, fill):
    coalition = np.array([True, True, False, True, False])
    values = []
    for seed in range(16):
        game = game_of(model, filler, fill=fill, draws=64, seed=seed)
        values.append(values_of(game, filler, model, coalition[None]).result[0])
    truth = by_enumeration(filler, coalition, fill == "in-turn")
    spread = np.std(values, axis=0, ddof=1) / 4
    assert np.all(np.abs(np.mean(values, axis=0) - truth) < 4 * spread + 1e-9)
    assert np.all(spread < 0.02)


def test_the_likeliest_words_are_those_of_the_papers(model, filler):
    game = game_of(model, filler, fill="likeliest")
    assert game.reference.draws == 1
    for coalition in EVERYTHING[[3, 12, 20]]:
        (shown,) = shown_by(game, filler, coalition[None])
        own = [int(filler.whole_words.token_of(word)[0]) for word in TEXT.split()]
        ids = [2, *(own[i] if here else filler.blank_id for i, here in enumerate(coalition)), 3]
        expected = [None if here else SIX[shares(filler, ids, i + 1).argmax()] for i, here in enumerate(coalition)]
        assert list(shown) == expected


def test_words_in_turn_differ_from_words_on_their_own(model, filler):
    coalition = np.zeros((1, 5), dtype=bool)
    together, chain = (
        shown_by(game_of(model, filler, fill=fill, draws=16), filler, coalition) for fill in ("drawn", "in-turn")
    )
    assert [words[0] for words in together] == [words[0] for words in chain]  # nothing was drawn before it
    assert together != chain


def test_values_are_the_same_bytes_in_any_company(model, filler):
    whole = values_of(game_of(model, filler), filler, model)
    small = values_of(game_of(model, filler), filler, model, batch_tokens=8)
    some = [3, 17, 5, 30]
    part = values_of(game_of(model, filler), filler, model, EVERYTHING[some])
    assert whole.result.tobytes() == small.result.tobytes()
    assert whole.result[some].tobytes() == part.result.tobytes()
    assert whole.counts.elsewhere == int((~EVERYTHING).sum())


PROGRAM = """
import sys
from tests.games.references.test_filled import *
torch.set_num_threads(1)
model, filler = CallableModel(judge, ["bad", "good"]), masked_model()
sys.stdout.write(values_of(game_of(model, filler, seed=9), filler, model).result.tobytes().hex())
"""


@pytest.mark.slow
def test_values_are_the_same_bytes_in_another_process(model, filler):
    here = values_of(game_of(model, filler, seed=9), filler, model).result.tobytes().hex()
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == here


def test_two_methods_share_the_pool(explainer):
    asked = {"text": TEXT, "model": "own", "reference": "conditional"}
    first = explainer.explain(ExplanationRequest(method="shap", **asked))
    again = explainer.explain(ExplanationRequest(method="leave-one-out", **asked))
    assert first.evaluations.elsewhere > 0
    assert (again.evaluations.reused, again.evaluations.elsewhere) == (again.evaluations.distinct, 0)


def test_what_decides_the_stand_ins_identifies_the_reference():
    identity = reference("conditional").identity
    wishes = [Wish(), Wish(seed=1), Wish(draws=8), Wish(fill="in-turn"), Wish(fill="likeliest")]
    assert len({identity(wish) for wish in wishes}) == len(wishes)
    assert identity(Wish(fill="likeliest", seed=1)) == identity(Wish(fill="likeliest"))
    assert identity(Wish()) == identity(Wish(draws=4))
    assert reference("in-domain").identity(Wish()) != identity(Wish())
    assert reference("conditional").asks(Wish()) == ("mlm-general",)
    assert reference("in-domain").asks(Wish()) == ("mlm-movies",)
    assert reference("in-domain").asks(Wish(filler="mine")) == ("mine",)


def test_several_pieces_become_one_blank_and_one_whole_word(model, filler):
    game = game_of(model, filler, "the films is goodness")
    asked = game.shown(np.array([[True, False, True, False]]))
    rows = next(asked).rows
    # [CLS] the [MASK] is [MASK] [SEP]
    assert {tuple(row.ids) for row in rows} == {(2, 5, 4, 7, 4, 3)}
    assert [row.place for row in rows] == [1, 3]
    shown = shown_by(game, filler, np.array([[True, False, True, False]]))
    assert {word for words in shown for word in words if word} <= set(SIX)


def test_a_sentence_begins_with_a_capital_as_it_did(model, filler):
    game = game_of(model, filler, "The film. Good film")
    shown = shown_by(game, filler, np.zeros((1, 5), dtype=bool))
    assert all(words[0][0].isupper() and words[3][0].isupper() and words[1].islower() for words in shown)


def test_a_long_text_is_filled_in_a_few_coalitions_at_a_time(model, filler):
    """Each absent word is a row of the whole text: all of a large ask at once would not fit in memory."""
    long = game_of(model, filler, " ".join(["film"] * 40))
    coalitions = np.random.default_rng(0).random((300, 40)) < 0.9
    asked: list[int] = []
    run = Run(plan(coalitions), long, Pool(), "probability")
    while (step := run.advance()) is not None:
        if isinstance(step, Elsewhere):
            asked.append(len(step.rows))
        owner = filler if isinstance(step, Elsewhere) else model
        run.receive(step, owner.outputs(step.rows, step.outcomes))
    assert len(asked) > 2
    assert max(asked) <= PIECE_ROWS
    assert run.counts.elsewhere == sum(asked)


# --------------------------------------------------------------------------------------------------- bad input


def refused(explainer, **fields):
    asked = {"text": TEXT, "model": "own", "reference": "conditional", "method": "leave-one-out", **fields}
    with pytest.raises((BadParameter, NotSupported)) as problem:
        explainer.explain(ExplanationRequest(**asked))
    return problem.value.message


def test_what_cannot_be_filled_in_is_refused_with_the_reason(explainer):
    assert "cannot read this text: got 4 of 4 words" in refused(explainer, text="这 部 电影 好")
    assert "got 3 of 5 words that it has no tokens for" in refused(explainer, text="the film war nicht gut")
    assert "asks a masked language model: got filler = own (callable)" in refused(explainer, filler="own")
    assert "fills in whole words: got players = tokens" in refused(explainer, players="tokens")
    assert "the likeliest word is one: got draws = 3" in refused(explainer, fill="likeliest", draws=3)


def test_words_that_the_filler_cannot_read_are_named_in_the_result(explainer):
    asked = {"model": "own", "reference": "conditional", "method": "leave-one-out"}
    found = explainer.explain(ExplanationRequest(text="the film is xyzzy quux", **asked))
    assert found.unread == ("xyzzy", "quux")
    assert ", 2 words unknown to mlm-general" in document(found)["provenance"]
    known = explainer.explain(ExplanationRequest(text=TEXT, **asked))
    assert known.unread == ()
    assert "unknown" not in document(known)["provenance"]


@pytest.mark.parametrize("draws", [0, 65, 1000])
def test_too_few_and_too_many_draws_are_refused(draws):
    with pytest.raises(ValueError, match="draws"):
        ExplanationRequest(text=TEXT, model="own", draws=draws)


# ---------------------------------------------------------------------------------------------------- in plain words


@pytest.mark.parametrize(
    ("name", "marked", "text"),
    [
        ("pad", "the [ ] is not [ ].", "the is not."),
        ("delete", "the is not.", "the is not."),
        ("mask", "the [[MASK]] is not [[MASK]].", "the [MASK] is not [MASK]."),
        ("marginal", "the [two] is not [five].", "the two is not five."),
    ],
)
def test_every_reference_is_shown_in_words(explainer, name, marked, text):
    asked = ExplanationRequest(
        text=f"{TEXT}.", model="own", reference=name, background=("one two three four five six",), method="lime"
    )
    (shown,) = stand_ins(explainer, asked, [1, 4])["texts"]
    assert (shown["marked"], shown["text"]) == (marked, text)
    assert [word["stands_in"] for word in shown["words"]] == [False, True, False, False, True, False]
    assert all(text[word["start"] : word["end"]] == word["text"] for word in shown["words"])


def test_filled_words_are_shown_a_text_for_each_draw(explainer):
    asked = ExplanationRequest(text=TEXT, model="own", reference="conditional", draws=3, method="lime")
    found = stand_ins(explainer, asked, [1, 4])
    assert len(found["texts"]) == 3
    for shown in found["texts"]:
        words = shown["text"].split()
        assert (words[0], words[2], words[3]) == ("the", "is", "not")
        assert {words[1], words[4]} <= set(SIX)
        assert shown["marked"] == f"the [{words[1]}] is not [{words[4]}]"
    with pytest.raises(BadParameter, match="no such player: got 7, possible are 0 to 4"):
        stand_ins(explainer, asked, [7])


# ------------------------------------------------------------------------------------------------- of other models


def test_a_pair_of_texts_is_filled_in_both(filler):
    """A model that reads both texts as one: a word is worth what is lost, on average, where others stand for it."""

    class Pairs(CallableModel):
        def encode(self, passage, pair=None):
            return super().encode(passage if pair is None else read(f"{passage.source} {pair.source}"))

    made = Explainer({"own": Pairs(judge, ["bad", "good"]), "mlm-general": filler}.__getitem__, lambda _: None)
    asked = {"text": "the film is", "pair": "not good", "model": "own", "reference": "conditional"}
    request = ExplanationRequest(**asked, method="leave-one-out", scale="probability", target="good")
    found = made.explain(request)
    texts = stand_ins(made, request, [4])["texts"]
    made.close()
    assert found.result.full == pytest.approx(judge([TEXT])[0, 1])
    read_as = [" ".join(word["text"] for word in each["words"]) for each in texts]
    assert all(each.startswith("the film is not ") for each in read_as)
    assert found.result.values[4] == pytest.approx(judge([TEXT])[0, 1] - judge(read_as)[:, 1].mean())
