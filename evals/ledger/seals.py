"""A sealed split as the ledger keeps it: ciphertext and commitment, nothing that could open them.

`evals.splits` makes and opens seals; the ledger only remembers them.
"""

from dataclasses import dataclass, field
from typing import Any

from evals.ledger.chain import sha256


@dataclass(frozen=True)
class Seal:
    """One encrypted split."""

    id: str
    """`seal-` and the first 16 hex digits of the commitment."""
    split: str
    """Name of the split inside."""
    cases: int
    """How many cases it holds."""
    commitment: str
    """SHA-256 over salt and plaintext; says nothing about the plaintext while the salt is sealed with it."""
    key_id: str
    """Name of the key in the keyring."""
    ciphertext: bytes = field(repr=False)
    """Nonce, then AES-256-GCM of salt and plaintext."""

    def committed(self, task_digest: str) -> dict[str, Any]:
        """The payload of `seal.committed`: all that the ledger keeps of the seal, its ciphertext by its SHA-256."""
        return {
            "seal": self.id,
            "split": self.split,
            "cases": self.cases,
            "commitment": self.commitment,
            "key_id": self.key_id,
            "ciphertext_digest": sha256(self.ciphertext),
            "task_digest": task_digest,
        }
