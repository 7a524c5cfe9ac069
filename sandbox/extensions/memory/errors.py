"""Errors of the memory. Each message says what was wrong and what to do. It never carries the content of a memory, only
ids, kinds, places and sizes.
"""

from datetime import datetime
from pathlib import Path
from typing import Any

from sandbox.support.errors import DocumentedError

_ROOM = 300  # characters of any value in a message
_OURS = ("problem", "known", "expected")  # details that are sentences of this program
_SHOWN = 60  # characters of a text, bits of a number; of a longer value only the kind is shown


class MemoryExtensionError(DocumentedError):
    """The memory could not do this."""

    def _shown(self) -> dict[str, Any]:
        return {name: value if name in _OURS else _cut(value) for name, value in self.details.items()}


def _cut(value: object) -> object:
    """The value, cut to the room in a message."""
    text = str(value) if isinstance(value, str | Path) else ""
    return value if len(text) <= _ROOM else f"{text[:_ROOM]}..."


class _Kind:
    """The kind of a value that may be content, as a message shows it."""

    def __init__(self, value: object) -> None:
        self._kind = type(value).__name__ + (f" of length {len(value)}" if isinstance(value, str | bytes) else "")

    def __repr__(self) -> str:
        return f"a {self._kind}"


class _PathText(str):
    """A path that a person named; a message shows it whole."""


def short(value: object) -> object:
    """The value, if it is too short to be content."""
    match value:
        case Path():
            return _PathText(value)
        case _PathText():
            return value
        case str():
            return str.__str__(value) if len(value) <= _SHOWN else _Kind(value)
        case bool():
            return value
        case int():
            return int(value) if value.bit_length() <= _SHOWN else _Kind(value)
        case datetime():
            return datetime.combine(datetime.date(value), datetime.time(value)).isoformat()  # its zone may raise
        case None | float() | _Kind():
            return value
    return _Kind(value)


class InvalidArgument(MemoryExtensionError, ValueError):
    """`{argument}` cannot be {value!r}: {expected}."""

    def __init__(self, *, value: object = None, **details: Any) -> None:
        super().__init__(value=short(value), **details)


class WrongType(InvalidArgument, TypeError):
    """`{argument}` cannot be of the type {found}: give {expected}."""


class ArgumentsDisagree(InvalidArgument):
    """`{argument}` cannot be {value!r}: {expected}."""


class InvalidContent(MemoryExtensionError, ValueError):
    """Nothing was stored: the content {problem}."""


class TooManyFacts(MemoryExtensionError):
    """Nothing was stored: assistants, tools and pages have stored {stored} facts of this user today, and
    `facts_per_day` is {limit}. The day is that of UTC; the user may store more.
    """


class SecretRefused(MemoryExtensionError, ValueError):
    """Nothing was stored: the text appears to contain a secret ({kinds}). Say where the secret is kept, not what
    it is, for example "the token is in the password manager".
    """


class SecretInId(SecretRefused):
    """`{argument}` cannot be used: it appears to contain a secret ({kinds}). Ids are stored unchanged, because a masked
    id could equal another. Use one without a secret.
    """


class UnknownChange(MemoryExtensionError, LookupError):
    """There is no change {change} that could be undone; `memory history ID` shows the changes of a memory."""


class UnknownMemory(MemoryExtensionError, LookupError):
    """No memory has the id {id!r}; `memory search` finds ids, capitals count, and ids of a project need `--project`."""


class UnknownEntity(MemoryExtensionError, LookupError):
    """No person and no thing has the name or alias {name!r}; `memory entity` lists the names, and `memory search`
    searches all memories.
    """


class NotMerged(MemoryExtensionError):
    """Nothing was changed: no other name was merged into {name!r}."""


class NotCurrent(MemoryExtensionError):
    """The memory {id!r} is {state}; {advice}."""


class NoProposal(MemoryExtensionError, LookupError):
    """No statement with the id {id!r} waits for consent; `memory proposals` lists those that do."""


class ChangedMeanwhile(MemoryExtensionError):
    """Nothing was changed: the memory {id!r} has version {found} now, not {meant}. Read it again."""


class LessTrusted(MemoryExtensionError):
    """Nothing was changed: this change of {id!r} needs the trust {needed!r}, and the caller has only {trust!r}. Ask the
    person to make the change.
    """


class NotAdministrator(MemoryExtensionError):
    """Nothing was changed: every user reads global memories, and only an administrator may write them, or erase
    memories of another user. Use another visibility; a program with several users sets `administrator` in the scope of
    those users who may.
    """


class CategoryNotAllowed(MemoryExtensionError):
    """The agent {agent!r} may not use the category {category!r}; it may use: {allowed}. The setting `allowlists`
    decides this.
    """


class ExportNotAllowed(MemoryExtensionError):
    """Nothing was exported: the export would hold memories of other users than {user!r}, or of everybody, and only an
    administrator may have them. A page (`format="markdown"`) holds one user's memories only.
    """


class SimilarMemory(MemoryExtensionError):
    """Nothing was stored: a similar memory is known: {ids}. Correct it, or choose `keep` to have both, or
    `supersede` to replace it.
    """


class ConfigurationError(MemoryExtensionError, ValueError):
    """{file}: `{key}` {problem}."""


class EmbedderUnavailable(MemoryExtensionError):
    """The embedding provider {model} cannot answer ({problem}); search continues with words alone."""


class VectorsNotStored(EmbedderUnavailable):
    """The memories are stored, but not their vectors: {problem}"""


class ModelUnavailable(MemoryExtensionError):
    """The language model {model} cannot answer ({problem}); learning is tried again later."""


class BadAnswer(MemoryExtensionError):
    """The language model {model} gave no usable answer ({problem}), twice. Learning is tried again later;
    until then rules read the conversation.
    """


class UnknownSession(MemoryExtensionError, LookupError):
    """There is no session {session!r}; `memory sessions` lists the sessions."""


class UnknownStep(MemoryExtensionError, ValueError):
    """There is no step {step!r}; the steps are {known}."""


class StoreError(MemoryExtensionError):
    """The database {path} cannot be used."""


class OpenedElsewhere(MemoryExtensionError, RuntimeError):
    """The memory was opened in another {place} and can be used only there. Open it here with `Memory.open(folder)`; one
    folder can be open several times.
    """


class WouldWaitForItself(MemoryExtensionError, RuntimeError):
    """This was called without `await` from the event loop that the memory works in, which would wait for itself. Await
    the method of the same library that can be awaited, or open the memory with `blocking(folder)`.
    """


class StoreClosed(StoreError):
    """The memory is closed; open it again with `Memory.open(folder)`."""


class NotADatabase(StoreError):
    """{path} is not a memory database; it was left untouched. Name another folder, or move the file away."""


class KeyMissing(StoreError):
    """{path} cannot be encrypted or opened without its key: neither the environment nor the system keyring has {name}.
    Set the variable {name}, or install what opens the keyring (`pip install '.[keyring]'` in the folder of the source).
    """


class KeyRefused(StoreError):
    """{path} does not open with the key that {name} holds. Give the key that it was encrypted with. If `memory encrypt`
    or `memory decrypt` was cut off, run it again.
    """


class EncryptionUnchanged(StoreError):
    """{path} is {state}; nothing was changed."""


class InUse(StoreError):
    """{path} is open in another program; nothing was changed. End all programs that use the memory (`memory run`,
    `memory serve`, assistants and coding agents) and try again.
    """


class CopyDiffers(StoreError):
    """The copy of {path} is not equal to it; the database was left as it is. `memory doctor` checks it."""


class DatabaseTooNew(StoreError):
    """{path} has schema version {found}, this program knows up to {known}; it was left untouched. Upgrade
    assistant-memory to read it.
    """


class DatabaseTooOld(StoreError):
    """{path} has schema version {found}, this program knows those from {known} on; it was left untouched. Export it
    with the program that made it (`memory export FILE`), and import that file here (`memory import FILE`).
    """


class DatabaseReadOnly(StoreError):
    """{path} cannot be {used} ({problem}); {advice}."""

    def __init__(
        self,
        *,
        used: str = "written",
        advice: str = "make the folder and the file readable and writable, or name another folder",
        **details: Any,
    ) -> None:
        super().__init__(used=used, advice=advice, **details)


class DatabaseReplaced(StoreError):
    """{path} is not the file that was opened: {problem}. Writes that were not acknowledged are not stored; the others
    are {kept}. Close this memory, check the file, and open it again.
    """


class DiskFull(StoreError):
    """The disk that holds {path} is full; what was acknowledged is safe, this write was not stored. Free some space
    and try again.
    """


class DiskFailed(StoreError):
    """The disk that holds {path} could not be read or written ({problem}); what was acknowledged is as safe as the
    disk. Check whether the disk is full or disconnected, then try again.
    """


class DatabaseBusy(StoreError):
    """Another process kept {path} locked for longer than {seconds} s; this write was not stored. Try again."""


class ErasureIncomplete(DatabaseBusy):
    """It is erased and cannot be found, but {path} still holds bytes of it, because {problem}. The next program that
    opens the memory removes them, if it can.
    """


class DatabaseDamaged(StoreError):
    """{path} is damaged ({problem}); `memory doctor` says more. Restore it from a backup."""


class UnwritableExport(MemoryExtensionError, ValueError):
    """{path} cannot be written: {problem}."""


class UnreadableImport(MemoryExtensionError, ValueError):
    """{path} cannot be imported: {problem}."""
