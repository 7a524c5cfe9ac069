"""Errors of embedding. Each message says what was wrong and what to do; it never carries a text to embed."""

from sandbox.support.errors import DocumentedError


class EmbeddingError(DocumentedError):
    """There is no embedding."""


class InvalidSetting(EmbeddingError, ValueError):
    """`{key}` {problem}."""


class MissingKey(EmbeddingError):
    """There is no API key: set the environment variable {variable}, or name a server that needs none in `base_url`."""


class ModelUnreadable(EmbeddingError):
    """The WordLlama model in {folder} cannot be read ({problem}); install the package `wordllama` again."""


class DimensionsUnknown(EmbeddingError):
    """The number of dimensions of {model} is unknown before its first answer: set `dimensions`, or embed a text."""


class NotStarted(EmbeddingError):
    """The embedding extension is not running; start it first."""


class EmbedderClosed(EmbeddingError):
    """The embedder {model} is closed; create another."""


class NotNow(EmbeddingError):
    """The embedder {model} cannot answer now."""


class NoAnswer(NotNow):
    """{model} at {place} gave no answer within {seconds:g} s, retries included."""


class Unreachable(NotNow):
    """{model} at {place} cannot be reached."""


class Refused(NotNow):
    """{model} at {place} answered with {meaning}."""


class UnusableAnswer(NotNow):
    """{model} at {place} gave an answer that cannot be used: {problem}."""


class WrongDimensions(NotNow):
    """{model} at {place} gave vectors of {found} dimensions instead of {expected}; correct `dimensions` or `model`."""
