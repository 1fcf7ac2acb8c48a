"""Results by content: equal questions have equal addresses, so that an answer is found again instead of computed."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

from espalier.engine.scale import scale_of
from espalier.explain.explanation import FORM
from espalier.explain.request import ExplanationRequest
from espalier.games.references import reference
from espalier.models.backbone import backbone
from espalier.models.families import Says
from espalier.models.revision import revision
from espalier.places import MODELS

PARSER = MODELS / "minilm-benepar"


def address(
    request: ExplanationRequest,
    model_revision: str,
    realm: str = "",
    others: Mapping[str, str] | None = None,
    says: Says = "classes",
) -> str:
    """SHA-256 over everything that decides an explanation, in canonical JSON: defaults filled in, keys sorted.

    Realms (`espalier.access.realm`) find nothing of each other's. `others` are the revisions of the models that the
    request's reference asks, by name; `says` is what comes out of the explained one.
    """
    method, parameters = request.settings()
    # Of what a request says about its reference only what that reference takes from it decides the result.
    content = request.model_dump(mode="json") | {
        "background": None,
        "reference": reference(request.reference).identity(request.wish()),
        "parameters": parameters.model_dump(mode="json"),
        "scale": scale_of(request, says),
        "revision": model_revision,
        "version": _version(),
        "form": FORM,
        "method_version": method.version,
    }
    for word in ("fill", "draws", "filler"):
        del content[word]  # the reference's identity has what it takes of them, `others` the model that fills in
    for word in ("outcome", "against", "outcomes", "open"):
        if not content[word]:
            del content[word]  # what was asked before there were words or levels keeps its address
    if request.tree is None and (
        method.needs_tree or request.players in ("phrases", "nested") or getattr(parameters, "wants_tree", False)
    ):
        content["parser"] = parser_revision()
    if says != "classes":
        content["says"] = says  # results on words were once stored under scales that they were not measured in
    if others:
        content["others"] = dict(others)
    if realm:
        content["realm"] = realm
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _version() -> str:
    """Of this program; looking it up reads a file."""
    return version("espalier")


@cache
def parser_revision() -> str:
    """The hash of the parser's files, as the parser itself says it."""
    manifest = json.loads((PARSER / "espalier.json").read_text(encoding="utf-8"))
    under = [backbone(manifest["backbone"]).sha256] if "backbone" in manifest else []
    return revision(PARSER, *under)
