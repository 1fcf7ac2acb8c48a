"""Servers of two versions run beside each other for a while, on the newer one's tables: what the older one reads and
writes must still be there and allowed. So a migration only adds."""

from pathlib import Path
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect

from espalier.store import Store, database
from espalier.store.database import upgrade


def revisions() -> list[str]:
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]


STEPS = list(zip(revisions(), revisions()[1:], strict=False))


def shape(engine: Engine) -> dict[str, dict[str, Any]]:
    """Columns of each table, and what is asked of a row."""
    seen = inspect(engine)
    return {
        table: {
            "columns": {column["name"]: column for column in seen.get_columns(table)},
            "rules": {
                *(("key", *each["constrained_columns"]) for each in seen.get_foreign_keys(table)),
                *(("unique", *each["column_names"]) for each in seen.get_unique_constraints(table)),
                *(("unique", *each["column_names"]) for each in seen.get_indexes(table) if each["unique"]),
                *(("check", each["sqltext"]) for each in seen.get_check_constraints(table)),
            },
        }
        for table in seen.get_table_names()
    }


@pytest.mark.parametrize(("older", "newer"), STEPS, ids=[newer for _, newer in STEPS])
def test_a_migration_only_adds_what_an_older_server_need_not_know(older: str, newer: str, address: str) -> None:
    store = Store.at(address)
    with store.engine.begin() as connection:
        upgrade(connection, older)
    before = shape(store.engine)
    with store.engine.begin() as connection:
        upgrade(connection, newer)
    after = shape(store.engine)
    store.close()
    for table, old in before.items():
        assert table in after, f"{table} is gone"
        new = after[table]
        for name, column in old["columns"].items():
            assert name in new["columns"], f"{table}.{name} is gone"
            assert str(new["columns"][name]["type"]) == str(column["type"]), f"{table}.{name} has another type"
            assert new["columns"][name]["nullable"] >= column["nullable"], f"{table}.{name} must be given now"
        for name in new["columns"].keys() - old["columns"].keys():
            column = new["columns"][name]
            assert column["nullable"] or column["default"] is not None, f"{table}.{name} must be given now"
        assert new["rules"] <= old["rules"] | {
            rule for rule in new["rules"] if not set(rule[1:]) & old["columns"].keys()
        }, f"{table} asks more of a row"
