"""Keys and passwords by their names: variables of the environment, or else entries of the system keyring."""

import os
from collections.abc import Mapping

SERVICE = "assistant-memory"  # the service in the keyring


def find(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The key with this name; None if there is none."""
    return environment.get(name, "").strip() or _of_keyring(name) or None


def keep(name: str, secret: str) -> None:
    """Put a key into the keyring. Raises the keyring's errors, and ``ImportError`` if the package is missing."""
    import keyring

    keyring.set_password(SERVICE, name, secret)


def _of_keyring(name: str) -> str:
    """Empty if there is no keyring, it is locked, or the package is missing."""
    try:
        import keyring

        return (keyring.get_password(SERVICE, name) or "").strip()
    except Exception:
        return ""
