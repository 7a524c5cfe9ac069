"""What can go wrong, said so that the reader knows what to do. No message carries a text that was to be embedded."""

from sandbox.support.errors import DocumentedError


class EmbeddingError(DocumentedError):
    """No embedding can be had."""


class InvalidSetting(EmbeddingError, ValueError):
    """`{key}` {problem}."""


class MissingKey(EmbeddingError):
    """There is no API key: set the environment variable {variable}, or name a server that needs none in `base_url`."""


class ModelUnreadable(EmbeddingError):
    """The WordLlama model in {folder} cannot be read ({problem}); install the package `wordllama` again."""


class DimensionsUnknown(EmbeddingError):
    """How many dimensions {model} has is not known before its first answer: set `dimensions`, or await
    `health_check()` first.
    """


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
