"""`memory encrypt` and `decrypt`."""

from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import TEND, command

_ADVICE = "keep a copy of its key: `python -m keyring get assistant-memory MEMORY_KEY`, or your MEMORY_KEY"


@command(TEND, without=("user", "project"))
def encrypt(invocation: Invocation) -> None:
    """Encrypt memory.db, so that only its key opens it.

    The key is the value of the variable MEMORY_KEY, for example a passphrase, or the entry of that name in the system's
    keyring. If there is neither, the command makes a random key and puts it into the keyring. Without the key nobody
    can open the memory again: keep a copy of it. The command needs the extra `encrypted`.

    Exports, backups and the files of `memory chat` (kernel.db and its history) are not encrypted.

    \b
    memory encrypt
    read -rs MEMORY_KEY && export MEMORY_KEY && memory encrypt
    """
    import asyncio

    from sandbox.extensions.memory import Memory

    asyncio.run(Memory.encrypt(invocation.folder))
    invocation.show({"encrypted": True}, lambda page: page.line("Encrypted", f"memory.db; {_ADVICE}"))


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
