"""`memory encrypt` and `decrypt`."""

import os
from contextlib import suppress
from typing import Annotated

import typer

from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import TEND, command
from sandbox.errors import SandboxError
from sandbox.support import keys

_NAME = "MEMORY_KEY"
_KEPT = "keep a copy of its key: `python -m keyring get assistant-memory MEMORY_KEY`, or your MEMORY_KEY"
_NOT_KEPT = "there is no keyring here: set MEMORY_KEY to the passphrase before you open the memory"


class KeyThere(SandboxError):
    """There is a key already, in {name} or in the keyring, and other memories may need it. Leave out --passphrase, and
    that key is used.
    """


@command(TEND, without=("user", "project"))
def encrypt(
    invocation: Invocation,
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="Ask for a passphrase, twice, and use it as the key.")
    ] = False,
) -> None:
    """Encrypt memory.db, so that only its key opens it.

    The key is the value of the variable MEMORY_KEY, or the entry of that name in the system's keyring. Where there
    is neither, a random key is made and put into the keyring, or with --passphrase what you type. Without the key
    nobody can open the memory again: keep a copy of it. The command needs the extra `encrypted`.

    Exports, backups and the files of `memory chat` (kernel.db and its history) are not encrypted.

    \b
    memory encrypt
    memory encrypt --passphrase
    MEMORY_KEY="a long passphrase" memory encrypt
    """
    import asyncio

    from sandbox.extensions.memory import Memory

    advice = _KEPT if not passphrase or _keep(_typed()) else _NOT_KEPT
    asyncio.run(Memory.encrypt(invocation.folder))
    invocation.show({"encrypted": True}, lambda page: page.line("Encrypted", f"memory.db; {advice}"))


@command(TEND, without=("user", "project"))
def decrypt(invocation: Invocation) -> None:
    """Write memory.db anew without encryption.

    \b
    memory decrypt
    """
    import asyncio

    from sandbox.extensions.memory import Memory

    asyncio.run(Memory.decrypt(invocation.folder))
    invocation.show({"encrypted": False}, lambda page: page.line("Decrypted", "memory.db"))


def _typed() -> str:
    """A passphrase that a person types twice, unseen. Raises ``KeyThere``."""
    if keys.find(_NAME):
        raise KeyThere(name=_NAME)
    typed = ""
    while not typed:
        typed = typer.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True).strip()
    return typed


def _keep(passphrase: str) -> bool:
    """Whether the keyring stores it; if not, only this process has it."""
    with suppress(Exception):  # the package may be missing, and any keyring may refuse
        keys.keep(_NAME, passphrase)
    if keys.find(_NAME) == passphrase:
        return True
    os.environ[_NAME] = passphrase
    return False
