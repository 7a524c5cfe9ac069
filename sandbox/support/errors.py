"""Errors that say what was wrong with what, and what to do."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import cleandoc
from shlex import quote
from typing import Any

PACKAGES = {  # by the name of the extra
    "agents": "openai-agents",
    "anthropic": "anthropic",
    "encrypted": "sqlcipher3",
    "langgraph": "langgraph-checkpoint",
    "mcp": "mcp",
    "openai": "openai",
    "pydantic-ai": "pydantic-ai-slim",
    "web": "fastapi uvicorn prometheus-client",
}


class DocumentedError(Exception):
    """The docstring of an error is its message. Keyword arguments fill its braces, and ``details`` holds them. No
    message contains a key, or text from a person, a model or a server.
    """

    def __init__(self, **details: Any) -> None:
        self.details = details
        super().__init__(" ".join(cleandoc(self.__doc__ or "").format(**self._shown()).split()))

    def _shown(self) -> dict[str, Any]:
        """The details in the form for the message."""
        return self.details


class MissingPackage(DocumentedError, ModuleNotFoundError):
    """{what} needs {missing}, which is not installed. Run `{python} -m pip install '.[{extra}]'` in the folder of the
    source, or `pipx inject assistant-memory {packages}`.
    """

    def __init__(self, what: str, extra: str, missing: str | None = None) -> None:
        packages = PACKAGES[extra]
        python = quote(sys.executable)  # `make install` has a Python of its own, which no other pip reaches
        super().__init__(what=what, extra=extra, packages=packages, missing=missing or packages, python=python)


@contextmanager
def needing(what: str, extra: str) -> Iterator[None]:
    """Raise ``MissingPackage`` if what is imported in the context is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingPackage(what, extra, error.name) from error
