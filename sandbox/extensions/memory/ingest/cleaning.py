"""What comes in as it can be stored: text, names, keys and tags, cleaned and freed of secrets, or refused. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from sandbox.extensions.memory.errors import InvalidArgument, InvalidContent, SecretInId
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.model import MOST_CHARACTERS
from sandbox.support.characters import storable


def clean(content: str) -> str:
    """The content as it can be stored. What is empty, or longer than the limit, is refused."""
    if not isinstance(content, str):
        raise InvalidContent(problem=f"is {type(content).__name__}, not text")
    if not content.replace("\x00", "").strip():
        raise InvalidContent(problem="is empty")
    if len(content) > MOST_CHARACTERS:
        raise InvalidContent(problem=f"has {len(content):,} characters, more than {MOST_CHARACTERS:,}")
    return storable(content)


def clean_name(argument: str, value: str | None) -> str | None:
    """The name of a session, a speaker or a source as it can be stored, secrets masked; blank counts as none."""
    return None if value is None else _masked_name(_text(argument, value))


@lru_cache(maxsize=1 << 10)
def _masked_name(name: str) -> str | None:
    """Each turn of a conversation bears the same few names."""
    name = storable(name).strip()
    return secrets.mask_name(name).text if name else None


def clean_key(value: str | None) -> str | None:
    """A key as it can be stored. One with a secret is refused (``SecretRefused``): masked, two could be the same."""
    key = stripped("key", value)
    if key and (kinds := secrets.kinds_in_id(key)):
        raise SecretInId(argument="key", kinds=", ".join(kinds))
    return key


def clean_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags without blanks and repetitions, in order."""
    return clean_names("tags", tags)


def clean_names(argument: str, names: Sequence[str]) -> tuple[str, ...]:
    """Names or words without blanks and repetitions, in order."""
    if isinstance(names, str):
        raise InvalidArgument(argument=argument, value=names, expected="give a list of words")
    return tuple(dict.fromkeys(name for each in names if (name := stripped(argument, each))))


def stripped(argument: str, value: str | None) -> str | None:
    """Text without blanks around it; None where nothing is left."""
    return None if value is None else storable(_text(argument, value)).strip() or None


def _text(argument: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidArgument(argument=argument, value=value, expected="give text or nothing")
    return value


def one_of(argument: str, value: object, known: Sequence[str]) -> None:
    """Raise ``InvalidArgument`` where a value is none of those that are known."""
    if value not in known:
        raise InvalidArgument(argument=argument, value=value, expected=f"it is one of {', '.join(known)}")
