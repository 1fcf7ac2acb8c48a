"""`espalier stand-ins "text" --absent word`: what a reference puts in the place of absent words."""

from typing import Annotated, Any

import typer

from espalier.problems import BadParameter


def stand_ins(
    text: Annotated[str, typer.Argument(help="The text; - reads it from standard input.")],
    absent: Annotated[
        list[str], typer.Option("--absent", "-a", help="An absent word, or its number from 0 on; repeatable.")
    ],
    model: Annotated[str | None, typer.Option("--model", "-m", help="The model that reads the text.")] = None,
    reference: Annotated[
        str | None, typer.Option(help="pad, mask, delete, marginal, conditional (if none) or in-domain.")
    ] = None,
    fill: Annotated[str | None, typer.Option(help="For filled-in words: drawn, likeliest or in-turn.")] = None,
    draws: Annotated[int | None, typer.Option(help="How many texts are drawn.")] = None,
    filler: Annotated[str | None, typer.Option(help="The masked language model: a name, folder or hub id.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything that is drawn at random.")] = 0,
) -> None:
    """Show what a model reads when some words are absent, a line for each draw; what stands in is in brackets."""
    from espalier.commands.explain import request_of
    from espalier.engine.stand_ins import METHOD, of_prepared
    from espalier.games.references import FILLING_REFERENCE
    from espalier.library import shared_explainer
    from espalier.models.catalog import catalog

    source = typer.get_text_stream("stdin").read() if text == "-" else text
    fields: dict[str, Any] = {"fill": fill, "draws": draws, "seed": seed, "method": METHOD}
    fields["reference"] = reference or FILLING_REFERENCE
    if filler is not None:
        fields["filler"] = catalog().choose(filler)
    explainer = shared_explainer()
    prepared = explainer.prepare(request_of(text=source, model=catalog().choose(model), **fields))
    players = [player.text for player in prepared.game.players]
    found = of_prepared(explainer, prepared, [number for each in absent for number in _numbers(each, players)])
    for each in found["texts"]:
        typer.echo(each["marked"])


def _numbers(given: str, players: list[str]) -> list[int]:
    """A word stands for itself wherever it is; a number that is no word of the text for the word at that place."""
    if found := [number for number, player in enumerate(players) if player.lower() == given.lower()]:
        return found
    if given.isdecimal():
        return [int(given)]
    raise BadParameter(f"no such word: got --absent {given!r}, possible are {', '.join(dict.fromkeys(players))}")
