"""KServe's official client against a server, run by the interpreter that has it (see test_kserve.py)."""

import asyncio
import json
import sys
import urllib.request

from kserve import InferenceRESTClient, RESTConfig

TEXTS = ["A lovely film.", "A dull and lifeless film."]


async def main(address: str) -> dict[str, object]:
    # The client has no call that lists models: it is told their names. The protocol's list is a plain GET.
    with urllib.request.urlopen(f"{address}/v1/models") as answer:
        listed = json.load(answer)["models"]
    async with InferenceRESTClient(RESTConfig(protocol="v1")) as client:
        ready = [await client.is_model_ready(address, name) for name in listed]
        predicted = await client.infer(address, {"instances": TEXTS}, model_name="sst2-bow")
        instance = {"text": TEXTS[0], "method": "leave-one-out"}
        explained = await client.explain(address, "sst2-bow", {"instances": [instance]})
    return {"listed": listed, "ready": ready, "predicted": predicted, "explained": explained}


if __name__ == "__main__":
    json.dump(asyncio.run(main(sys.argv[1])), sys.stdout)
