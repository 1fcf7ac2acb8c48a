"""Pictures as a terminal shows them, in windows of different widths, with and without colours."""

import io
import re

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.judge import doubtful

from espalier.explain.reading import PairScore, Reading
from espalier.explain.registry import MethodResult
from espalier.findings.wording import Numbers
from espalier.library import explain
from espalier.pictures.terminal import draw

METHODS = [
    "ls-tree",
    "hedge",
    "hedge-merge",
    "leave-one-out",
    "lime",
    "sampled-shapley",
    "mahe",
    "archipelago",
    "asiv",
    "shap",
]


def shown(explanation, width: int = 120, colours: bool = False) -> str:
    file = io.StringIO()
    system = "truecolor" if colours else None
    Console(file=file, width=width, force_terminal=colours, color_system=system).print(draw(explanation))
    return file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("method", METHODS)
def test_no_line_is_wider_than_the_window(method, width, judged):
    lines = shown(judged(method), width).splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert lines[0]


@pytest.mark.parametrize("width", [60, 120])
def test_a_tree_writes_every_number(width, judged):
    result = judged("ls-tree").result
    scores = [*result.word_values, *(node.signed for node in result.nodes if node.children)]
    numbers = Numbers.like(scores)
    written = shown(judged("ls-tree"), width)
    for score in scores:
        assert numbers.signed(score) in written


def test_a_tree_is_drawn_over_its_words_where_there_is_room(judged):
    wide, narrow = shown(judged("ls-tree"), 120), shown(judged("ls-tree"), 60)
    words = next(line for line in wide.splitlines() if "music" in line and "film" in line)
    assert words.split() == ["The", "music", "is", "lovely", ",", "but", "the", "film", "is", "not", "good", "."]
    assert "└─ " in narrow


@pytest.mark.parametrize("width", [60, 120])
def test_a_ladder_shows_its_spans_without_colours_too(width, judged):
    explanation = judged("hedge")
    rows = [line for line in shown(explanation, width).splitlines() if "music" in line]
    assert [line.count("│") + 1 for line in rows] == [len(level.spans) for level in explanation.result.levels]


def test_a_ladder_wider_than_the_window_runs_on_with_its_numbers(judged):
    text = "It is " + "not " * 12 + "good"
    explanation = judged("hedge", text, parameters={"window": 0})
    lines = shown(explanation, 40).splitlines()
    numbered = [found[1] for line in lines if (found := re.match(r"(\d+) ", line))]
    assert numbered == [str(level) for level in range(15) if level != 13]
    assert max(len(line) for line in lines) <= 40


@pytest.mark.parametrize("width", [30, 60, 200])
def test_a_ladder_says_which_cuts_may_be_others(width, judged):
    explanation = doubtful(judged("hedge"))
    said = " ".join(shown(explanation, width).split())
    assert said.count("(93.1% sure)") == said.count("sure)") == 1
    assert "economical: cuts 99.4% sure on average" in said


def test_very_many_levels_are_thinned_out_and_said_to_be(judged):
    explanation = judged("hedge", "good " * 60, parameters={"window": 0})
    assert len(explanation.result.levels) == 60
    assert "… 20 levels more …" in shown(explanation, 400)


def test_bars_write_values_with_their_errors(judged):
    explanation = judged("lime", parameters={"samples": 200})
    result = explanation.result
    numbers = Numbers.like(result.values)
    written = shown(explanation)
    for value, error in zip(result.values, result.standard_errors, strict=True):
        assert f"{numbers.signed(value)} ± {error:.{numbers.decimals}f}" in written


def test_longer_bars_are_longer_values(added_up):
    lines = shown(added_up("leave-one-out")).splitlines()
    rows = {line.split()[0]: line for line in lines if line.startswith(" ")}
    cells = {name: rows[name].count("█") for name in ("lovely", "dull", "film")}
    assert cells["lovely"] > cells["dull"] > cells["film"] == 0


def test_arrows_are_listed_without_and_with(judged):
    written = shown(judged("asiv", "not good"), 80)
    row = next(line for line in written.splitlines() if "→" in line)
    assert row.split() == ["not", "→", "good", "+0.38", "−0.38", "−0.76"]


def test_a_graph_without_interactions_says_so(added_up):
    assert "no arrows: nothing changes what another adds" in shown(added_up("asiv"))


def test_a_matrix_has_numbers_where_they_fit_and_signs_where_not(judged):
    result = judged("asiv").result
    numbers = Numbers.like(value for row in result.present for value in row)

    def matrix(width: int) -> list[list[str]]:
        lines = shown(judged("asiv"), width).splitlines()
        first = next(index for index, line in enumerate(lines) if line.startswith("what each adds")) + 2
        return [line.split()[2:] for line in lines[first : first + 12]]

    given = [[value for i, value in enumerate(row) if i != j] for j, row in enumerate(result.present)]
    assert matrix(120) == [[numbers.signed(value) for value in row] for row in given]
    signs = [["·" if numbers.is_zero(value) else "+" if value > 0 else "−" for value in row] for row in given]
    assert matrix(60) == signs


def test_long_texts_show_their_strongest_words(judged):
    explanation = judged("leave-one-out", "the " * 70 + "lovely thing")
    written = shown(explanation)
    assert "the 60 strongest of 72 words" in written
    assert any(line.strip().startswith("lovely") for line in written.splitlines())


def test_the_provenance_says_how_sure_and_what_it_cost(judged):
    explanation = judged("lime", "a very lovely film", parameters={"samples": 50}, seed=7, reference="delete")
    lines = " ".join(shown(explanation).split())
    counts = explanation.evaluations
    reused = f" ({counts.reused} reused)" if counts.reused else ""
    assert f"± standard error · {counts.distinct} evaluations{reused} · " in lines
    assert "probability of positive · absent words cut out (delete) · seed 7" in lines


def test_another_class_than_the_predicted_one_is_said_to_be_explained(judged):
    assert "your model says negative" in shown(judged("leave-one-out", target="positive"))
    assert "explaining positive" in shown(judged("leave-one-out", target="positive"))
    assert "explaining" not in shown(judged("leave-one-out", target="negative"))


def test_colours_follow_the_sign(added_up):
    heat_map = shown(added_up("leave-one-out"), colours=True).splitlines()[3]
    assert "48;2;45;0;75mlovely" in heat_map  # the far end of purple: nothing is larger
    assert "48;2;127;59;8m" not in heat_map  # the far end of orange: "dull" is not as far from zero
    assert "mdull" in heat_map


def test_a_text_cannot_steer_the_terminal():
    def long_is_good(texts):
        share = np.array([0.4 + len(text) / 1000 for text in texts])
        return np.stack([1 - share, share], axis=1)

    text = "\x1b[31mred\x1b[0m [bold]markup[/bold] \x07 bell \x9b5m"
    for method in ("hedge", "leave-one-out", "mahe", "archipelago"):
        written = shown(explain(text, long_is_good, method, classes=["[red]a", "\x1b]0;title\x07"]))
        assert not {"\x1b", "\x07", "\x9b"} & set(written)
        assert "bold" in written


def test_emoji_and_wide_scripts_stay_in_their_columns(judged):
    explanation = judged("hedge", "映画 👩‍👩‍👧 not good")
    rows = [line for line in shown(explanation).splitlines() if "映画" in line and line[0].isdigit()]
    assert len({cell_len(line.split("good")[0]) for line in rows}) == 1


def test_a_result_that_says_nothing_of_words_tells_where_its_numbers_are(judged):
    class Silent(MethodResult):
        pass

    explanation = judged("leave-one-out").model_copy(update={"result": Silent(exact=True)})
    assert "in the JSON" in shown(explanation)
    assert "in the JSON" in explanation._repr_svg_()


def test_pairs_without_words_are_drawn_as_bars(judged):
    class Together(MethodResult):
        def reading(self):
            return Reading(exact=False, pairs=(PairScore(first=9, second=10, score=-0.4, error=0.1),))

    explanation = judged("leave-one-out").model_copy(update={"result": Together(exact=False)})
    assert "not × good" in shown(explanation)
    assert "−0.40 ± 0.10" in shown(explanation)
    assert "“not” and “good” do most together: −0.40 ± 0.10 for positive" in shown(explanation)
    assert 'data-value="-0.4"' in explanation._repr_svg_()
