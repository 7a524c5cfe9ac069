"""What can go wrong, said so that the reader knows what to do; the docstring of an error is its message."""

from sandbox.extensions.memory.errors import *  # noqa: F403  every error is public
