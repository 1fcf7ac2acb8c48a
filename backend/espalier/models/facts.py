"""What a model's files say of it, read without loading it."""

from espalier.models.backbone import backbone
from espalier.models.manifest import read_manifest
from espalier.models.revision import revision
from espalier.models.sources import Facts, Source


def of_manifest(source: Source) -> Facts:
    """A folder with `espalier.json`. Reading the weights for the revision takes a moment."""
    folder = source.own_folder()
    manifest = read_manifest(folder)
    under = [backbone(manifest["backbone"]).sha256] if "backbone" in manifest else []
    return Facts(tuple(manifest["classes"]), manifest["max_length"], revision(folder, *under))


def of_transformer(source: Source) -> Facts:
    """A folder as save_pretrained writes it. Of a model on the hub nothing is known before it is loaded."""
    if source.folder is None or not source.config:
        return Facts(source.entry.classes)
    labels = source.config.get("id2label") or {}
    classes = source.entry.classes or tuple(labels[key] for key in sorted(labels, key=int)) or None
    return Facts(classes, source.config.get("max_position_embeddings"), revision(source.folder))


def of_language_model(source: Source) -> Facts:
    """A folder of either form. A language model has no classes: what is looked at are the words that may come next."""
    if source.folder is not None and (source.folder / "espalier.json").is_file():
        return of_manifest(source)
    if source.folder is None or not source.config:
        return Facts(())
    return Facts((), source.config.get("max_position_embeddings"), revision(source.folder))
