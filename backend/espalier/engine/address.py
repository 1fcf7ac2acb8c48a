"""Results by content: equal questions have equal addresses, so that an answer is found again instead of computed."""

import hashlib
import json
from functools import cache
from importlib.metadata import version
from pathlib import Path

from espalier import samples
from espalier.explain.request import ExplanationRequest
from espalier.models.backbone import backbone
from espalier.models.revision import revision

_MODELS = Path(__file__).parents[2] / "models"
PARSER = _MODELS / "minilm-benepar"


def address(request: ExplanationRequest, model_revision: str) -> str:
    """SHA-256 over everything that decides an explanation, in canonical JSON: defaults filled in, keys sorted."""
    method, parameters = request.settings()
    content = request.model_dump(mode="json") | {
        "parameters": parameters.model_dump(mode="json"),
        "scale": request.scale or method.scale,
        "revision": model_revision,
        "version": version("espalier"),
    }
    if request.tree is None and (
        method.needs_tree or request.players == "phrases" or getattr(parameters, "wants_tree", False)
    ):
        content["parser"] = parser_revision()
    if request.reference == "marginal" and request.background is None:
        content["background"] = [sample.text for sample in samples.load()]
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def parser_revision() -> str:
    """The hash of the parser's files, as the parser itself says it."""
    manifest = json.loads((PARSER / "espalier.json").read_text(encoding="utf-8"))
    under = [backbone(manifest["backbone"]).sha256] if "backbone" in manifest else []
    return revision(PARSER, *under)
