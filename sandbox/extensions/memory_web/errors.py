"""What keeps the server from starting."""

from sandbox.extensions.memory.errors import MemoryExtensionError


class CannotListen(MemoryExtensionError):
    """Nothing can be served at {host}, port {port}: {problem}. Name another with `--port`; 0 takes one that is free."""
