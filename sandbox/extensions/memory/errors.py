"""What can go wrong, said so that the reader knows what to do.

The docstring of an error is its message; the keyword arguments fill its braces and stay readable as attributes of
``details``. Messages never carry the content of a memory, only ids, kinds, places and sizes.
"""

from inspect import cleandoc
from typing import Any


class MemoryExtensionError(Exception):
    """The memory could not do what was asked."""

    def __init__(self, **details: Any) -> None:
        self.details = details
        super().__init__(" ".join(cleandoc(self.__doc__ or "").format(**details).split()))


class InvalidArgument(MemoryExtensionError, ValueError):
    """`{argument}` cannot be {value!r}: {expected}."""


class InvalidContent(MemoryExtensionError, ValueError):
    """Nothing was stored: the content {problem}."""


class SecretRefused(MemoryExtensionError, ValueError):
    """Nothing was stored: the text appears to contain a secret ({kinds}). Say where the secret is kept instead of what
    it is, for example "the token is in the password manager".
    """


class UnknownMemory(MemoryExtensionError, LookupError):
    """No memory has the id {id!r}; `memory search` finds ids."""


class UnknownEntity(MemoryExtensionError, LookupError):
    """Nobody and nothing is known as {name!r}, with or without capitals or by an alias; `memory search` finds what was
    said.
    """


class NotMerged(MemoryExtensionError):
    """Nothing was changed: nobody was merged into {name!r}."""


class NotCurrent(MemoryExtensionError):
    """The memory {id!r} is {state}; {advice}."""


class LessTrusted(MemoryExtensionError):
    """Nothing was changed: the memory {id!r} is trusted as {needed!r}, and what would correct it only as {trust!r}. A
    person decides between the two.
    """


class SimilarMemory(MemoryExtensionError):
    """Nothing was stored: it is close to what is known under {ids}. Correct that one, or store with
    on_similar="keep" or "supersede".
    """


class ConfigurationError(MemoryExtensionError, ValueError):
    """{file}: `{key}` {problem}."""


class EmbedderUnavailable(MemoryExtensionError):
    """The embedding provider {model} cannot answer ({problem}); search goes on with words alone."""


class ModelUnavailable(MemoryExtensionError):
    """The language model {model} cannot answer ({problem}); what waits to be learnt is tried again later."""


class MissingPackage(MemoryExtensionError):
    """The language model {model} needs the package `openai`: pip install "assistant-memory[openai]"."""


class BadAnswer(MemoryExtensionError):
    """The language model {model} gave no usable answer ({problem}), twice; what waits to be learnt is tried again
    later, with rules meanwhile.
    """


class UnknownSession(MemoryExtensionError, LookupError):
    """Nothing was ever said in a session {session!r}; `memory explain ID` names the session of a memory."""


class UnknownStep(MemoryExtensionError, ValueError):
    """A night has no step {step!r}; it has {known}."""


class StoreError(MemoryExtensionError):
    """The database {path} cannot be used."""


class StoreClosed(StoreError):
    """The memory is closed; open it again with `Memory.open(folder)`."""


class NotADatabase(StoreError):
    """{path} is not a memory database; it was left untouched. Name another folder, or move the file away."""


class DatabaseTooNew(StoreError):
    """{path} has schema version {found}, this program knows up to {known}; it was left untouched. Upgrade
    assistant-memory to read it.
    """


class DatabaseReadOnly(StoreError):
    """{path} cannot be written ({problem}); make the folder and the file writable, or name another folder."""


class DiskFull(StoreError):
    """The disk that holds {path} is full; what was acknowledged is safe, this write was not stored. Free some space
    and try again.
    """


class DiskFailed(StoreError):
    """The disk that holds {path} could not be read or written ({problem}); what was acknowledged is safe as far as the
    disk is. Is it full, or going away? Try again when it is not.
    """


class DatabaseBusy(StoreError):
    """Another process kept {path} locked for longer than {seconds} s; this write was not stored. Try again."""


class DatabaseDamaged(StoreError):
    """{path} is damaged ({problem}); `memory doctor` says more. Restore it from a backup."""


class UnreadableImport(MemoryExtensionError, ValueError):
    """{path} cannot be imported: {problem}."""
