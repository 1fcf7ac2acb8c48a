"""Bring the tables to the form that this version knows, or leave a newer form as it is."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from espalier.problems import Problem

_log = logging.getLogger(__name__)


class UnknownTables(Problem):
    """The tables have a form that no version of Espalier gave them."""


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the migrations inside the caller's transaction.

    Migrations only add (tests/store/test_rolling_upgrade.py), so tables of a newer version have all that this one
    needs: it goes on beside the newer servers, or after them when they are taken back.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    known = [script.revision for script in scripts.walk_revisions()]
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None or found in known:
        command.upgrade(config, revision)
        return
    # Revisions are numbers of equal length, and count up: that is how one that is not known here can be told newer.
    if not (found.isdigit() and len(found) == len(known[0]) and found > known[0]):
        raise UnknownTables(
            f"the database has tables that Espalier did not make: got revision {found}, "
            f"possible are {known[-1]} to {known[0]} and those of newer versions"
        )
    _log.warning("the database has the tables of a newer version, %s: they are used as they are", found)
