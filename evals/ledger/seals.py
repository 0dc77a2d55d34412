"""A sealed split as the ledger keeps it: ciphertext and commitment, nothing that could open them.

`evals.splits` makes and opens seals; the ledger only remembers them.
"""

from dataclasses import dataclass, field


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
