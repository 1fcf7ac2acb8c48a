"""The HTTP server itself."""

import asyncio
import gc

import pytest
import uvicorn
from fastapi import FastAPI

from espalier.api.server import Server


@pytest.fixture
def _garbage_as_before():
    gc.unfreeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_garbage_as_before")
def test_a_full_collection_of_garbage_leaves_out_what_was_there_at_the_start():
    """It would stop all answers for a tenth of a second: /health/live could not answer in 50 ms throughout."""
    before = len(gc.get_objects())

    async def start_and_stop() -> int:
        server = Server(uvicorn.Config(FastAPI(), port=0, lifespan="off", log_config=None))
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        await server.startup()
        left = len(gc.get_objects())
        for each in server.servers:
            each.close()
        return left

    assert asyncio.run(start_and_stop()) < before / 100
