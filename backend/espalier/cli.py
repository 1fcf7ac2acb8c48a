"""The command line, `espalier`: assembled here, one file for each command in `commands/`."""

from typing import Any

import typer
from typer.core import TyperGroup

from espalier.commands.backup import backup, restore
from espalier.commands.diagnose import diagnose
from espalier.commands.edit import edit, edits
from espalier.commands.evaluate import evaluate
from espalier.commands.explain import explain
from espalier.commands.interactions import interactions
from espalier.commands.keys import keys
from espalier.commands.methods import methods
from espalier.commands.models import models
from espalier.commands.parse import parse
from espalier.commands.predict import predict
from espalier.commands.serve import serve
from espalier.commands.stand_ins import stand_ins
from espalier.commands.status import status
from espalier.commands.study import study
from espalier.problems import Problem


class Commands(TyperGroup):
    """Says what was wrong in one line instead of a traceback when the user's input is the reason."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Problem as problem:
            typer.secho("error: ", fg=typer.colors.RED, bold=True, nl=False, err=True)
            typer.echo(problem.message, err=True)
            raise typer.Exit(2) from problem


app = typer.Typer(
    cls=Commands,
    help="See how a language model puts its prediction together, word by word, phrase by phrase.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for command in (
    serve,
    status,
    explain,
    evaluate,
    diagnose,
    edit,
    predict,
    stand_ins,
    parse,
    models,
    methods,
    backup,
    restore,
):
    app.command()(command)

app.add_typer(keys, name="keys")
app.add_typer(interactions, name="interactions")
app.add_typer(edits, name="edits")
app.add_typer(study, name="study")
