"""Whether models can be edited on a server. An edit is a folder in its data folder: whoever is asked about the edited
model must have the same one."""

from espalier.settings import Settings
from espalier.store import Store


def no_edits(chosen: Settings, store: Store) -> str | None:
    """Why none can be made; None where they can."""
    if chosen.engine == "ray":
        return (
            "no model can be edited on a cluster: got ESPALIER_ENGINE=ray, whose workers on other machines do not have "
            "the folder that an edit is; possible is a server with workers of its own, or espalier edit on a machine"
        )
    if store.is_shared and not chosen.shared_data:
        return (
            "no model can be edited here: got a database that other servers may share, which would not have the folder "
            "that an edit is; possible is ESPALIER_SHARED_DATA=true, where all servers on it have one data folder or "
            "there is only this one"
        )
    return None
