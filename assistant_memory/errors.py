"""Errors of the memory: each message says what was wrong and what to do. The docstring of an error is its message."""

from sandbox.extensions.embedding.errors import *  # noqa: F403  every error is public
from sandbox.extensions.memory.errors import *  # noqa: F403
from sandbox.support.errors import DocumentedError as DocumentedError, MissingPackage as MissingPackage
