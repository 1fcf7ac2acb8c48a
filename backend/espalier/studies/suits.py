"""Whether the models and methods of a study go together."""

from espalier.engine.protocol import Engine
from espalier.explain.registry import method
from espalier.models.describe import Shelf
from espalier.models.families import questions
from espalier.problems import BadModel, BadParameter, NotSupported
from espalier.studies.design import StudyDesign


async def common_classes(design: StudyDesign, shelf: Shelf, engine: Engine) -> tuple[str, ...]:
    """The classes that all models of a study share: people answer with these. Refuses methods a model cannot do."""
    found: dict[str, tuple[str, ...]] = {}
    for name in design.models:
        described = shelf.get(name)
        if described.says != "classes":
            raise NotSupported(
                f"people guess classes in a study: got {name}, which says next words; possible are others"
            )
        for asked in design.methods:
            if missing := set(method(asked).inspects) - set(questions(described.family)):
                raise NotSupported(f"{asked} cannot explain {name}: it needs {', '.join(sorted(missing))} of the model")
        if described.classes is None:
            await engine.load(name)
            described = shelf.get(name)
        if described.classes is None:
            raise BadModel(f"the classes of {name} are not known: name them in the catalog (classes = […])")
        found[name] = described.classes
    first, *others = found.values()
    if any(each != first for each in others):
        said = "; ".join(f"{name}: {', '.join(classes)}" for name, classes in found.items())
        raise BadParameter(f"the models of a study must have the same classes: got {said}")
    return first
