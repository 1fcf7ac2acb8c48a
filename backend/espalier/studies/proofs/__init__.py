"""What shows that people are who their links say: signatures of ours, and of Prolific's."""

from espalier.studies.proofs.problems import BadProof as BadProof
from espalier.studies.proofs.problems import ProofNeeded as ProofNeeded
from espalier.studies.proofs.prolific import ProlificKeys as ProlificKeys
from espalier.studies.proofs.proofs import Proofs as Proofs
