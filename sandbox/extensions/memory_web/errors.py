"""What keeps the server from starting."""

from sandbox.extensions.memory.errors import MemoryExtensionError


class CannotListen(MemoryExtensionError):
    """Nothing can be served at {host}, port {port}: {problem}. Name another with `--port`; 0 takes one that is free."""


class MissingServer(MemoryExtensionError):
    """`memory serve` needs more packages ({problem}). Run `pip install '.[web]'` in the folder of the source, or
    `pipx inject assistant-memory fastapi uvicorn prometheus-client`.
    """
