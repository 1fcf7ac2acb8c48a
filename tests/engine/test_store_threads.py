"""Who writes when many want to."""

import asyncio
import threading

import pytest

from espalier.engine.ledger.threads import StoreThreads


async def test_a_client_with_much_to_write_does_not_stand_before_one_with_little() -> None:
    threads, free, written = StoreThreads(), threading.Event(), list[str]()
    writing = [asyncio.create_task(threads.write(free.wait, 20))]
    for client, what in [*[("many", f"many {number}") for number in range(10)], ("one", "one"), ("one", "one more")]:
        writing.append(asyncio.create_task(threads.write(written.append, what, client=client)))
    await asyncio.sleep(0)  # all of them have asked now
    free.set()
    await asyncio.gather(*writing)
    threads.close()
    assert written[:4] == ["many 0", "one", "many 1", "one more"]
    assert written[4:] == [f"many {number}" for number in range(2, 10)]


async def test_what_fails_fails_whoever_asked_and_the_next_is_written() -> None:
    threads = StoreThreads()
    with pytest.raises(KeyError):
        await threads.write({}.__getitem__, "nothing")
    assert await threads.write(len, "four") == 4
    threads.close()
