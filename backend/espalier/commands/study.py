"""`espalier study`: run studies on a server from a terminal."""

import asyncio
import json
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from espalier.commands.owner import Owner
from espalier.problems import BadParameter, Problem

study = typer.Typer(help="Create, run and evaluate studies with people.", no_args_is_help=True)

Server = Annotated[str, typer.Option(envvar="ESPALIER_SERVER", help="Address of the server that runs the study.")]
Key = Annotated[str | None, typer.Option(envvar="ESPALIER_KEY", help="An owner's key, where the server has keys.")]
Study = Annotated[str, typer.Argument(help="The study's id.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Simulated = Annotated[bool, typer.Option("--simulated", help="The rehearsal instead of the real people.")]

HERE = "http://127.0.0.1:8000"


class Protocol(StrEnum):
    COHERENCE = "coherence"
    PREFERENCE = "preference"


class What(StrEnum):
    ROWS = "rows"
    SUMMARY = "summary"


class Form(StrEnum):
    CSV = "csv"
    JSON = "json"


@study.command()
def create(
    title: Annotated[str, typer.Argument(help="What people see over every page.")],
    protocol: Annotated[Protocol, typer.Option(help="Guess the prediction, or choose the better explanation.")],
    method: Annotated[list[str], typer.Option(help="A method; once for each. Preference: two, the second is tested.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A model; once for each. The server's first when left out.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Texts: TSV, CSV or JSONL. Our samples when left out.")] = None,
    items: Annotated[int, typer.Option(help="Texts to ask about.")] = 20,
    votes: Annotated[int, typer.Option(help="People for each item.")] = 3,
    per_person: Annotated[int, typer.Option(help="Items a person judges at most.")] = 20,
    people: Annotated[int | None, typer.Option(help="How many are recruited; spreads the tasks over all.")] = None,
    words: Annotated[str, typer.Option(help="Shortest and longest text, in words.")] = "1-60",
    uniform: Annotated[bool, typer.Option(help="Equally many items of each length.")] = False,
    correct: Annotated[bool, typer.Option(help="Only texts the models classify correctly.")] = False,
    interaction: Annotated[bool, typer.Option(help="Only texts with an interaction.")] = False,
    polarity: Annotated[bool, typer.Option(help="Only where joined words turn what they say one by one.")] = False,
    seed: Annotated[int | None, typer.Option(help="Fixes everything drawn at random.")] = None,
    design: Annotated[Path | None, typer.Option(help="A JSON file with any other fields of the design.")] = None,
    wait: Annotated[bool, typer.Option(help="Stay until the study is prepared.")] = True,
    server: Server = HERE,
    key: Key = None,
) -> None:
    """Create a study and prepare it: its id is printed."""
    shortest, _, longest = words.partition("-")
    if not (shortest.isdecimal() and longest.isdecimal()):
        raise BadParameter(f"no range of lengths: got {words!r}, possible is such as 5-12")
    body: dict[str, Any] = json.loads(design.read_text(encoding="utf-8")) if design else {}
    body |= {
        "title": title,
        "protocol": protocol.value,
        "methods": method,
        "items": items,
        "votes": votes,
        "items_per_person": per_person,
        "people": people,
        "seed": seed,
        **({} if model is None else {"models": model}),
        "filters": {
            "minimum_words": int(shortest),
            "maximum_words": int(longest),
            "uniform_lengths": uniform,
            "correctly_classified": correct,
            "has_interaction": interaction,
            "polarity_differs": polarity,
        },
    }
    if data is not None:
        body["dataset"] = {"kind": "file", "name": data.name, "content": data.read_text(encoding="utf-8")}
    with Owner(server, key) as owner:
        document = owner.ask("POST", "/v1/studies", json=body)
        if wait:
            document = _prepared(owner, document)
    typer.echo(document["id"])


@study.command("list")
def list_studies(server: Server = HERE, key: Key = None, as_json: AsJson = False) -> None:
    """List all studies, the newest first."""
    with Owner(server, key) as owner:
        found = owner.ask("GET", "/v1/studies")["studies"]
    if as_json:
        _print(found)
        return
    table = Table(box=None, header_style="bold")
    for column in ("id", "title", "protocol", "status", "items", "votes"):
        table.add_column(column)
    for each in found:
        votes = f"{each['answered']}/{each['needed']}"
        table.add_row(each["id"], each["title"], each["protocol"], each["status"], str(each["items"]), votes)
    Console().print(table)


@study.command()
def show(study: Study, server: Server = HERE, key: Key = None, as_json: AsJson = False) -> None:
    """Show how far a study is, and its recruiting links."""
    with Owner(server, key) as owner:
        found = owner.ask("GET", f"/v1/studies/{study}")
    if as_json:
        _print(found)
        return
    votes, people, preparation = found["votes"], found["people"], found["preparation"]
    typer.echo(f"{found['design']['title']} · {found['design']['protocol']} · {found['status']} · seed {found['seed']}")
    typer.echo(f"items   {preparation['kept']} of {preparation['wanted']} (from {preparation['candidates']} texts)")
    for said in (preparation["note"], preparation["problem"]):
        if said:
            typer.echo(f"        {said}")
    typer.echo(f"votes   {votes['answered']} of {votes['needed']}, {votes['reserved']} being given")
    typer.echo(f"people  {people['arrived']} came, {people['finished']} finished, {people['simulated']} simulated")
    for name, link in found["links"].items():
        if link:
            typer.echo(f"{name:<10} {link}")


def _move(how: str) -> Any:
    def command(study: Study, server: Server = HERE, key: Key = None) -> None:
        with Owner(server, key) as owner:
            typer.echo(owner.ask("POST", f"/v1/studies/{study}/{how}")["status"])

    command.__doc__ = {"publish": "Let people in.", "pause": "Let nobody on for now.", "close": "End the study."}[how]
    return command


for _how in ("publish", "pause", "close"):
    study.command(_how)(_move(_how))


@study.command()
def results(
    study: Study, simulated: Simulated = False, server: Server = HERE, key: Key = None, as_json: AsJson = False
) -> None:
    """Say what the study has found so far."""
    with Owner(server, key) as owner:
        found = owner.ask("GET", f"/v1/studies/{study}/results", params={"simulated": simulated})
    if as_json:
        _print(found)
    else:
        Console(highlight=False, soft_wrap=False).print(found["paragraph"], markup=False)


@study.command()
def export(
    study: Study,
    what: Annotated[What, typer.Option(help="Raw rows, or the numbers of the results.")] = What.ROWS,
    form: Annotated[Form, typer.Option(help="The format.")] = Form.CSV,
    identities: Annotated[bool, typer.Option(help="With the providers' ids of the people.")] = False,
    simulated: Simulated = False,
    server: Server = HERE,
    key: Key = None,
) -> None:
    """Print the data of a study."""
    parameters: dict[str, Any] = {"simulated": simulated}
    if what is What.ROWS:
        parameters["identities"] = identities
    with Owner(server, key) as owner:
        answer = owner.text(f"/v1/studies/{study}/{what.value}.{form.value}", params=parameters)
    typer.echo(answer, nl=False)


@study.command()
def rehearse(
    study: Study,
    people: Annotated[int, typer.Option(help="How many simulated people take part.")] = 10,
    error: Annotated[float, typer.Option(help="How often they err, 0 to 1.")] = 0.1,
    seed: Annotated[int, typer.Option(help="The same seed is the same people.")] = 0,
    server: Server = HERE,
    key: Key = None,
) -> None:
    """Let simulated people take part through the API. Their answers are marked and kept apart."""
    from espalier.studies.rehearsal import Rehearsal, rehearse

    with Owner(server, key) as owner:
        link = owner.ask("GET", f"/v1/studies/{study}")["links"]["rehearsal"]
    wanted = Rehearsal(people=people, error_rate=error, seed=seed)

    async def run(progress: Progress) -> int:
        import httpx

        shown = progress.add_task("people", total=people)
        async with httpx.AsyncClient(base_url=server, timeout=60) as client:
            secret = link.partition("rehearsal=")[2]
            return await rehearse(client, study, secret, wanted, lambda: progress.advance(shown))

    with _bar() as progress:
        took_part = asyncio.run(run(progress))
    typer.echo(f"{took_part} of {people} simulated people took part; see espalier study results {study} --simulated")


@study.command()
def links(
    study: Study,
    names: Annotated[list[str], typer.Argument(help="Names or codes, one for each person.")],
    days: Annotated[int, typer.Option(help="How long the links let people in.")] = 30,
    server: Server = HERE,
    key: Key = None,
) -> None:
    """Print a signed link for each person: name, tab, address. It lets in this person and nobody else."""
    with Owner(server, key) as owner:
        made = owner.ask("POST", f"/v1/studies/{study}/links", json={"names": names, "days": days})
    for link in made["links"]:
        typer.echo(f"{link['name']}\t{link['address']}")


@study.command()
def delete(
    study: Study,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = HERE,
    key: Key = None,
) -> None:
    """Delete a study with all its data."""
    if not yes:
        typer.confirm("Delete the study with all its answers?", abort=True)
    with Owner(server, key) as owner:
        owner.ask("DELETE", f"/v1/studies/{study}")


def _prepared(owner: Owner, document: dict[str, Any]) -> dict[str, Any]:
    with _bar() as progress:
        shown = progress.add_task("items", total=document["preparation"]["wanted"])
        while document["status"] == "preparing":
            time.sleep(0.5)
            document = owner.ask("GET", f"/v1/studies/{document['id']}")
            progress.update(shown, completed=document["preparation"]["kept"])
    if document["status"] == "failed":
        raise Problem(f"the study could not be prepared: {document['preparation']['problem']}")
    if document["preparation"]["note"]:
        typer.echo(document["preparation"]["note"], err=True)
    return document


def _bar() -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True))


def _print(document: Any) -> None:
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
