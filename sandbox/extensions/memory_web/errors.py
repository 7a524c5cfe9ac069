"""Errors that keep the server from starting."""

from sandbox.extensions.memory.errors import MemoryExtensionError


class CannotListen(MemoryExtensionError):
    """Cannot listen at {host}, port {port}: {problem}. Name another port with `--port`; 0 takes a free one."""
