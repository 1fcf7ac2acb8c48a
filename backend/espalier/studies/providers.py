"""Where a person comes from, by the query of the page's address: Prolific, MTurk, a plain link, or a rehearsal."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import quote, urlsplit

from espalier.problems import BadParameter
from espalier.studies.design import Recruiting
from espalier.studies.documents import Links
from espalier.studies.proofs.proofs import TOKEN, Proofs
from espalier.studies.session import Completion, SubmitForm

Source = Literal["plain", "prolific", "mturk", "simulated"]

MTURK_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
MTURK_HOSTS = ("www.mturk.com", "workersandbox.mturk.com")
"""The only places that answers of MTurk workers are ever submitted to: turkSubmitTo comes from the address, which
anybody can write."""

PROLIFIC_END = "https://app.prolific.com/submissions/complete?cc="

LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the provider says it is. `details` is what the provider needs back at the end; `proven`: a signature says so,
    not only the address."""

    source: Source
    name: str
    details: dict[str, str]
    proven: bool = False


class Preview:
    """A worker looks at a task that they have not accepted: nothing may be stored."""


class NameNeeded:
    """A plain link: the person has yet to say a name or code."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Where somebody comes from and what they call this server, as the network tells."""

    address: str = ""
    host: str = ""


NOBODY_KNOWS = Visitor()


def recognise(
    parameters: Mapping[str, str],
    name: str | None,
    rehearsal_key: str,
    proofs: Proofs | None = None,
    study: str = "",
    host: str = "",
) -> Identity | Preview | NameNeeded:
    """Who comes, by the query of the address they came with."""
    if "rehearsal" in parameters:
        if not is_rehearsal(parameters, rehearsal_key):
            raise BadParameter(
                "this is no link to a rehearsal of this study: possible is the one the owner's page shows"
            )
        return _named("simulated", name or parameters.get("name"))
    if TOKEN in parameters and proofs is not None:
        signed = proofs.prolific(parameters, host)
        return Identity("prolific", _id(signed, "PROLIFIC_PID"), _only(signed, "STUDY_ID", "SESSION_ID"), proven=True)
    if "PROLIFIC_PID" in parameters:
        return Identity("prolific", _id(parameters, "PROLIFIC_PID"), _only(parameters, "STUDY_ID", "SESSION_ID"))
    if "assignmentId" in parameters:
        if parameters["assignmentId"] == MTURK_PREVIEW:
            return Preview()
        submit_address(parameters.get("turkSubmitTo", ""))
        _id(parameters, "assignmentId")
        return Identity(
            "mturk", _id(parameters, "workerId"), _only(parameters, "assignmentId", "hitId", "turkSubmitTo")
        )
    who = _named("plain", name or parameters.get("name"))
    if isinstance(who, Identity) and proofs is not None and proofs.plain(study, who.name, parameters):
        return replace(who, details={"signed": "yes"}, proven=True)
    return who


def is_rehearsal(parameters: Mapping[str, str], rehearsal_key: str) -> bool:
    """Whether somebody comes by the owner's own link to a rehearsal."""
    return secrets.compare_digest(parameters.get("rehearsal", "").encode(), rehearsal_key.encode())


def submit_address(given: str) -> str:
    """Where an MTurk worker's browser posts the form, if it is one of MTurk's two hosts."""
    try:
        parts = urlsplit(given)
        host = parts.netloc.lower()
    except ValueError:
        host, parts = "", urlsplit("")
    if (
        parts.scheme != "https"
        or host not in MTURK_HOSTS
        or parts.path not in ("", "/")
        or parts.query
        or parts.fragment
    ):
        possible = " or ".join(f"https://{each}" for each in MTURK_HOSTS)
        raise BadParameter(f"turkSubmitTo is not MTurk: got {given[:LONGEST_ID]!r}, possible is {possible}")
    return f"https://{host}/mturk/externalSubmit"


def completion(identity: Identity, recruiting: Recruiting, receipt: str) -> Completion:
    """What ends the participation at the provider. `receipt` is the person's own code."""
    if identity.source == "prolific" and recruiting.completion_code:
        code = recruiting.completion_code
        return Completion(code=code, url=PROLIFIC_END + quote(code, safe=""), form=None)
    if identity.source == "mturk":
        form = SubmitForm(
            action=submit_address(identity.details.get("turkSubmitTo", "")),
            # MTurk refuses a form with nothing but the assignment's id.
            fields={"assignmentId": identity.details["assignmentId"], "receipt": receipt},
        )
        return Completion(code=receipt, url=None, form=form)
    return Completion(code=receipt, url=None, form=None)


def link_for(base: str, study: str, name: str, until: int, proofs: Proofs) -> str:
    """A plain link that lets in one person, known by this name."""
    who = _named("plain", name)
    if not isinstance(who, Identity):
        raise BadParameter("a link is made for somebody: got an empty name, possible is a name or code")
    return f"{base}/s/{study}?{proofs.query(study, who.name, until)}"


def links(base: str, study: str, recruiting: Recruiting, rehearsal_key: str) -> Links:
    """Addresses to give to providers. Prolific fills in what is in its braces; MTurk appends its own parameters."""
    page = f"{base}/s/{study}"
    # Secured links carry the same ids once more in a token that Prolific adds.
    prolific = "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    return Links(
        plain=page if "plain" in recruiting.providers else None,
        prolific=page + prolific if "prolific" in recruiting.providers else None,
        mturk=page if "mturk" in recruiting.providers else None,
        rehearsal=f"{page}?rehearsal={rehearsal_key}",
    )


def _named(source: Source, name: str | None) -> Identity | NameNeeded:
    if name is None or not name.strip():
        return NameNeeded()
    # The same name written with other spaces or capitals is the same person.
    return Identity(source, _printable(" ".join(name.split()).casefold()[:LONGEST_ID]), {})


def _printable(name: str) -> str:
    if not name.isprintable():
        raise BadParameter(f"a name or id of other characters than letters and signs: got {name!r}")
    return name


def _id(parameters: Mapping[str, str], key: str) -> str:
    value = parameters.get(key, "").strip()
    if not value or len(value) > LONGEST_ID:
        raise BadParameter(
            f"no usable {key} in the address: got {value[:20]!r}, possible is what the provider fills in"
        )
    return _printable(value)


def _only(parameters: Mapping[str, str], *keys: str) -> dict[str, str]:
    return {key: parameters[key][:LONGEST_ID] for key in keys if key in parameters}
