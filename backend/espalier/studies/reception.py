"""Who is let in, and what is doubted about them. Nobody gets another's participation by knowing their id.

- A signature proves who somebody is: Prolific's, or ours on a link made for one person.
- Without one, Prolific's people come back by the submission they came with first (`SESSION_ID`, which only they and
  Prolific know); under a plain name anybody could come back, which the owner is told.
"""

from espalier.problems import BadParameter, Problem
from espalier.store import Store
from espalier.store.secrets import Secrets
from espalier.store.studies.tables import StudyRow
from espalier.studies.design import Recruiting
from espalier.studies.joins import Joins, TooManyJoins
from espalier.studies.proofs import BadProof, ProlificKeys, ProofNeeded, Proofs
from espalier.studies.providers import Identity, NameNeeded, Preview, Visitor, is_rehearsal, recognise
from espalier.studies.records import doubts, owner
from espalier.studies.records.doubts import Reason
from espalier.studies.session import Join

DOUBTS: dict[str, str] = {
    "bad-proof": "a link whose signature does not fit",
    "no-proof": "a link without a signature, where one is needed",
    "another-session": "this Prolific id with another submission than it came with first",
    "another-assignment": "this MTurk worker with another assignment than before",
    "by-name": "came back under this name without a signed link",
    "too-many": "too many from one address within ten minutes",
}

MANY = 10**9
"""No limit, where there is no server that strangers reach."""


class AlreadyHere(Problem):
    """A plain link: somebody has begun under this name."""

    code = "already-here"
    status = 409


class AnotherSession(Problem):
    """Prolific: somebody has begun under this id, with another submission."""

    code = "another-session"
    status = 409


class Reception:
    """Stands before the desk."""

    def __init__(self, store: Store, joins: Joins | None = None, prolific: ProlificKeys | None = None) -> None:
        self._store = store
        self._joins = joins or Joins(MANY)
        self.proofs = Proofs(lambda: Secrets(store).get("links"), prolific or ProlificKeys())

    def admit(self, asked: Join, visitor: Visitor) -> None:
        """Count who comes, before anything else is read for them. An owner's rehearsal is not counted, a guess at one
        is."""
        with self._store.read() as session:
            key = owner.rehearsal_key(session, asked.study)
        if not is_rehearsal(asked.parameters, key):
            self._count(asked.study, visitor.address)

    def receive(
        self, asked: Join, study: StudyRow, recruiting: Recruiting, visitor: Visitor
    ) -> Identity | Preview | NameNeeded:
        """Who it is, if they may come at all."""
        try:
            who = recognise(
                asked.parameters, asked.name, study.rehearsal_key, self.proofs, study.id, visitor.host.lower()
            )
            _check_welcome(recruiting, who)
        except BadProof:
            self._note(study.id, "bad-proof")
            raise
        except ProofNeeded:
            self._note(study.id, "no-proof")
            raise
        return who

    def returns(self, asked: Join, study: str, who: Identity, person: int, before: Identity) -> Reason | None:
        """Whether somebody who has begun may go on; and what is doubtful about it."""
        if who.proven or who.source == "simulated":
            return None
        if who.source == "prolific" and who.details.get("SESSION_ID") != before.details.get("SESSION_ID"):
            self._note(study, "another-session", person)
            raise AnotherSession(
                "somebody has begun under this id with another submission: possible is the link you came with first"
            )
        if who.source == "mturk" and who.details.get("assignmentId") != before.details.get("assignmentId"):
            return "another-assignment"
        if who.source != "plain":
            return None
        if "signed" in before.details:
            self._note(study, "no-proof", person)
            raise ProofNeeded("somebody has begun here by a link of their own: possible is that link, or another name")
        if not asked.resume and "name" not in asked.parameters:
            raise AlreadyHere("somebody has begun under this name: got it again, possible is resume, or another name")
        return "by-name"

    def _count(self, study: str, address: str) -> None:
        try:
            self._joins.count(study, address)
        except TooManyJoins as refused:
            if refused.first:  # writing down each of a flood would help the flood
                self._note(study, "too-many")
            raise

    def _note(self, study: str, reason: Reason, person: int = doubts.NOBODY) -> None:
        with self._store.write() as session:
            doubts.note(self._store, session, study, reason, person)


def _check_welcome(recruiting: Recruiting, who: Identity | Preview | NameNeeded) -> None:
    source = who.source if isinstance(who, Identity) else "plain" if isinstance(who, NameNeeded) else "mturk"
    if source == "simulated":
        return
    if isinstance(who, Identity) and source not in recruiting.providers:
        raise BadParameter(
            f"this study does not take people from there: got {source}, possible is {', '.join(recruiting.providers)}"
        )
    if recruiting.signed and not (isinstance(who, Identity) and who.proven):
        raise ProofNeeded(
            "this study lets people in by links of their own: got one without a signature, "
            "possible is the link you were sent, or to come from Prolific"
        )
    wanted = recruiting.prolific_study
    if wanted and isinstance(who, Identity) and source == "prolific" and who.details.get("STUDY_ID") != wanted:
        raise BadProof("this link is for another study at Prolific: possible is the one Prolific opens for this study")
