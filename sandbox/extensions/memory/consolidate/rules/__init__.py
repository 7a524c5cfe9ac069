"""Learning without a model: sentences in which people speak of themselves and theirs become statements. Pure."""

from sandbox.extensions.memory.consolidate.rules.reading import read

__all__ = ["read"]
