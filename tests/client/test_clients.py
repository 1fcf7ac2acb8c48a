"""Both clients against a real server."""

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import espalier
from espalier.client import Cancelled, Event, Progress, ServiceProblem, Unreachable
from espalier.explain.hedge import HedgeResult

LONG = "The film is not good, but the music is."
"""Ten words: about a thousand evaluations, which is long enough to be watched."""


@pytest.fixture
def client(service: str) -> Iterator[espalier.Client]:
    with espalier.Client(service) as client:
        yield client


def test_an_explanation_is_what_the_library_gives(client: espalier.Client) -> None:
    there = client.explain("The film is not good.", model="sst2-bow", method="hedge")
    here = espalier.explain("The film is not good.", "sst2-bow", "hedge")
    assert isinstance(there.result, HedgeResult)
    assert there.result == here.result
    assert there.words == here.words


def test_a_notebook_shows_a_picture(client: espalier.Client) -> None:
    picture = client.explain("A lovely film.", model="sst2-bow", method="leave-one-out")._repr_svg_()
    assert picture is not None
    assert ElementTree.fromstring(picture).get("data-method") == "leave-one-out"


def test_progress_is_told_up_to_the_end(client: espalier.Client) -> None:
    told: list[Progress] = []
    explanation = client.explain(LONG, model="sst2-minilm", method="shap", progress=told.append)
    assert told
    assert [each.evaluated for each in told] == sorted(each.evaluated for each in told)
    assert told[-1].evaluated <= explanation.evaluations.distinct


def test_the_stream_tells_everything_in_order(client: espalier.Client) -> None:
    job = client.submit(LONG, model="sst2-minilm", method="shap", seed=3)
    events: list[Event] = list(job.stream())
    names = [event.name for event in events]
    assert "prepared" in names
    assert names[-1] == "finished"
    assert [int(event.id) for event in events] == sorted(int(event.id) for event in events)
    assert job.document.done
    assert job.wait() == client.job(job.id).wait()


def test_a_finished_job_is_streamed_again_at_once(client: espalier.Client) -> None:
    job = client.submit("A lovely film.", model="sst2-bow", method="leave-one-out", wait=30)
    assert [event.name for event in client.job(job.id).stream()] == ["finished"]


def test_a_cancelled_job_raises_that_it_was(client: espalier.Client) -> None:
    job = client.submit(LONG * 4, model="sst2-minilm", method="shap", seed=4, parameters={"budget": 20_000})
    job.cancel()
    assert job.document.status == "cancelled"
    with pytest.raises(Cancelled):
        job.wait()


def test_a_problem_is_raised_with_its_code(client: espalier.Client) -> None:
    with pytest.raises(ServiceProblem, match="unknown model: got 'nobody'") as raised:
        client.explain("A lovely film.", model="nobody")
    assert (raised.value.code, raised.value.status) == ("unknown-name", 404)


def test_predictions_and_the_catalog_are_typed(client: espalier.Client) -> None:
    prediction = client.predict("A lovely film.", "sst2-bow")
    assert prediction.label == "positive"
    assert sum(prediction.probabilities.values()) == pytest.approx(1)
    assert "sst2-bow" in [model["name"] for model in client.catalog()["models"]]


def test_many_texts_are_explained_in_order(client: espalier.Client) -> None:
    texts = ["A lovely film.", "", "A dull film."]
    lines = list(client.explain_many(texts, model="sst2-bow", method="leave-one-out"))
    assert [line.index for line in lines] == [0, 1, 2]
    assert [line.text for line in lines] == texts
    assert lines[0].result().text == "A lovely film."
    with pytest.raises(ServiceProblem, match="empty text"):
        lines[1].result()


def test_a_service_that_is_not_there_is_said_when_patience_is_over() -> None:
    with (
        espalier.Client("http://127.0.0.1:9", patience=0) as client,
        pytest.raises(Unreachable, match="espalier serve"),
    ):
        client.catalog()


async def test_the_asynchronous_client_does_the_same(service: str) -> None:
    async with espalier.AsyncClient(service) as client:
        told: list[Progress] = []
        explanation = await client.explain(LONG, model="sst2-minilm", method="hedge", seed=7, progress=told.append)
        assert explanation.method == "hedge"
        job = await client.submit("A lovely film.", model="sst2-bow", method="leave-one-out", wait=30)
        assert [event.name async for event in (await client.job(job.id)).stream()] == ["finished"]
        assert (await client.predict("A lovely film.", "sst2-bow")).label == "positive"
        lines = [line async for line in client.explain_many(["A lovely film."], model="sst2-bow", method="hedge")]
        assert lines[0].result().method == "hedge"
        cancelled = await client.submit(LONG * 4, model="sst2-minilm", method="shap", seed=8)
        await cancelled.cancel()
        with pytest.raises(ServiceProblem):
            await client.explain("A lovely film.", method="nothing")
