"""What can go wrong before a server stands."""

from sandbox.extensions.memory.errors import MemoryExtensionError


class PackageMissing(MemoryExtensionError):
    """Clients of MCP cannot be served: the package {package} is not installed. Run `pip install '.[mcp]'` in the folder
    of the source, or `pipx inject assistant-memory mcp`.
    """
