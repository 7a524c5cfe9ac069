"""Secrets are masked in turns of conversations, and refused in statements."""

from sandbox.extensions.memory.errors import SecretRefused
from sandbox.secrets import Masked, Secret, find, mask, mask_name, may_be_same
from sandbox.secrets.turns import ASKING, asking

__all__ = ["ASKING", "Masked", "Secret", "asking", "find", "mask", "mask_name", "may_be_same", "refuse"]


def refuse(*texts: str) -> None:
    """Raise ``SecretRefused``, with the kinds, if a text contains a secret."""
    kinds = dict.fromkeys(secret.kind for text in texts for secret in find(text))
    if kinds:
        raise SecretRefused(kinds=", ".join(kinds))
