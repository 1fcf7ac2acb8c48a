"""Access keys at rest."""

from sqlalchemy import text

from espalier.access import fits, issue, read
from espalier.store import Store
from espalier.store.keys import AccessKeys


def test_a_key_is_found_by_its_id_and_fits_its_secret_only(store: Store) -> None:
    keys = AccessKeys(store)
    key, given = issue("Ada", "owner")
    keys.add(key)
    identity, secret = read(given) or ("", "")
    found = keys.get(identity)
    assert found == key
    assert fits(found, secret)
    assert not fits(found, secret[:-1] + "x" if secret[-1] != "x" else secret[:-1] + "y")


def test_a_revoked_key_fits_no_more_and_stays_in_the_list(store: Store) -> None:
    keys = AccessKeys(store)
    key, given = issue("Ada", "use")
    keys.add(key)
    first = keys.revoke(key.id)
    assert first is not None
    assert first.revoked is not None
    assert not fits(keys.get(key.id), (read(given) or ("", ""))[1])
    again = keys.revoke(key.id)
    assert again is not None
    assert again.revoked == first.revoked
    assert [kept.id for kept in keys.all()] == [key.id]


def test_revoking_what_is_not_there_says_so(store: Store) -> None:
    assert AccessKeys(store).revoke("00000000") is None


def test_the_secret_is_nowhere_in_the_database(store: Store) -> None:
    key, given = issue("Ada", "use")
    AccessKeys(store).add(key)
    with store.read() as session:
        rows = session.execute(text("SELECT * FROM access_keys")).all()
    assert (read(given) or ("", ""))[1] not in repr(rows)
