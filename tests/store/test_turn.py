"""What one server does for all."""

from tests.store.postgres import Postgres

from espalier.store import Store
from espalier.store.turn import Turn


def test_one_server_has_its_turn_until_it_goes(postgres: Postgres) -> None:
    address = postgres.database()
    one, other = Store.at(address), Store.at(address)
    first, second = Turn(one, "workers"), Turn(other, "workers")
    assert first.is_mine()
    assert not second.is_mine()
    assert first.is_mine()
    assert Turn(other, "something else").is_mine()
    first.give_back()
    assert second.is_mine()
    assert not first.is_mine()
    one.close()
    other.close()


def test_a_turn_is_lost_with_its_connection(postgres: Postgres) -> None:
    address = postgres.database()
    one, other = Store.at(address), Store.at(address)
    first, second = Turn(one, "workers"), Turn(other, "workers")
    assert first.is_mine()
    with other.write() as session:
        session.connection().exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 7264002"
        )
    while not second.is_mine():
        pass
    assert not first.is_mine()
    one.close()
    other.close()


def test_a_file_has_one_server() -> None:
    assert Turn(Store.at("sqlite://"), "workers").is_mine()
