"""What the server itself does for studies."""

import logging
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from espalier.store import open_store
from espalier.studies.joins import Joins
from espalier.studies.proofs import ProlificKeys
from espalier.studies.reception import Reception
from espalier.studies.rehearsal import Rehearsal
from espalier.studies.service import Studies

STUDY = "01a8908925149997"


async def gone(scope: Scope, receive: Receive, send: Send) -> None:
    """A server on which the study has just been deleted."""
    await JSONResponse({"detail": f"no such study: got {STUDY}"}, 404)(scope, receive, send)


async def test_the_log_does_not_name_a_study_that_was_deleted_during_its_rehearsal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, nobody = open_store(f"sqlite:///{tmp_path}/studies.sqlite"), Any
    studies = Studies(store, nobody, gone, Reception(store, Joins(10), ProlificKeys("/nowhere.json")))
    with caplog.at_level(logging.INFO, "espalier"):
        await studies._rehearse(STUDY, "key", Rehearsal())
    assert "a rehearsal ended early" in caplog.text
    assert STUDY not in caplog.text
    store.close()
