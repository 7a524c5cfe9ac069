"""What the memory believes after a conversation, fact by fact, where no language model reads.

A set is a folder with a file ``LANGUAGE.yaml`` or ``*.LANGUAGE.yaml`` for each language: conversations, each with what
a careful note-taker would keep of it (``keep``) and what must not be believed after it (``never``). ``--show`` prints
what was learnt of each, missed and wrong; not of the sealed set, which nobody may develop on.
"""

import asyncio
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import yaml

from benchmarks.bench import Bench
from benchmarks.floors import floor
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.model import CognitiveType, Role
from sandbox.testing import FakeClock

_HERE = Path(__file__).resolve().parent
SEALED = _HERE / "sealed"
SETS = {"sealed": SEALED, "development": _HERE.parent / "tests" / "memory" / "learning" / "conversations"}

_KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "opinion", "procedural")
_APART = timedelta(seconds=20)  # between two turns, and from the last one to the reading of the session
_EVERYTHING = 1_000_000


@dataclass(frozen=True, slots=True)
class Item:
    """Something to be believed, or not to be. A statement says it that has a word of each group, whatever its case."""

    text: str
    words: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if not self.words or not all(group and all(group) for group in self.words):
            raise ValueError(f"words are missing, so that nothing says it or everything does: {self.text}")

    def is_said_by(self, statement: str) -> bool:
        """Whether one statement alone says it."""
        said = statement.casefold()
        return all(any(word.casefold() in said for word in group) for group in self.words)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Sessions of turns, what is to be believed after the last one, and what is not."""

    id: str
    language: str
    sessions: tuple[tuple[Message, ...], ...]
    keep: tuple[Item, ...]
    never: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """A conversation, and the statements that are believed after it."""

    conversation: Conversation
    learnt: tuple[str, ...]

    @property
    def missed(self) -> list[Item]:
        """What was to be kept and is not."""
        return [each for each in self.conversation.keep if not self.saying(each)]

    @property
    def wrong(self) -> list[Item]:
        """What must not be believed and is."""
        return [each for each in self.conversation.never if self.saying(each)]

    @property
    def unlisted(self) -> list[str]:
        """Statements that say nothing of what was to be kept; they need not be wrong."""
        keep = self.conversation.keep
        return [each for each in self.learnt if not any(item.is_said_by(each) for item in keep)]

    def saying(self, item: Item) -> list[str]:
        """The statements that say something."""
        return [each for each in self.learnt if item.is_said_by(each)]


@dataclass(frozen=True, slots=True)
class Count:
    """Some of all."""

    some: int
    all: int

    @property
    def share(self) -> float:
        """Of nothing, none."""
        return self.some / max(1, self.all)

    def __str__(self) -> str:
        return f"{self.some} of {self.all} ({self.share:.1%})"


def counts(noted: Sequence[Noted]) -> dict[str, Count]:
    """Every figure, over some conversations."""
    keep, learnt = sum(len(each.conversation.keep) for each in noted), sum(len(each.learnt) for each in noted)
    return {
        "kept": Count(keep - sum(len(each.missed) for each in noted), keep),
        "conversations with something of never": Count(sum(bool(each.wrong) for each in noted), len(noted)),
        "learnt but not listed": Count(sum(len(each.unlisted) for each in noted), learnt),
    }


def by_language(noted: Sequence[Noted]) -> dict[str, list[Noted]]:
    """Conversations with what was learnt of them, the languages in order."""
    languages = sorted({each.conversation.language for each in noted})
    return {language: [each for each in noted if each.conversation.language == language] for language in languages}


def measure(bench: Bench) -> list[Figure]:
    """The figures of the sealed set."""
    read = bench.progress(conversations(SEALED), "noting")
    return figures(asyncio.run(note(read, bench.fresh(), bench.options.config)))


def figures(noted: Sequence[Noted]) -> list[Figure]:
    """The figures of all conversations, those of each language in the note."""
    parts = {language: counts(each) for language, each in by_language(noted).items()}
    return [
        Figure(
            name,
            count.share,
            floor=floor(name),
            note=", ".join([str(count), *(f"{language} {part[name].share:.3f}" for language, part in parts.items())]),
        )
        for name, count in counts(noted).items()
    ]


def conversations(folder: Path) -> list[Conversation]:
    """A set. Raises ``ValueError`` for what is none."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise ValueError(f"{folder} holds no *.yaml")
    return [_conversation(row, file.stem.rpartition(".")[2]) for file in files for row in _rows(file)]


def _rows(file: Path) -> list[dict[str, Any]]:
    # every scalar is text: a word may be "no" or 204
    return cast(list[dict[str, Any]], yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader))


def _conversation(row: Mapping[str, Any], language: str) -> Conversation:
    sessions = tuple(tuple(_turns(each, f"{row['id']}, {place}")) for place, each in enumerate(row["sessions"], 1))
    keep = tuple(item(each["fact"], each) for each in row.get("keep") or ())
    never = tuple(item(each["what"], each) for each in row.get("never") or ())
    return Conversation(row["id"], language, sessions, keep, never)


def item(text: str, row: Mapping[str, Any]) -> Item:
    """What a row of a file says."""
    return Item(text, tuple(tuple(group) for group in row["words"]))


def _turns(session: Mapping[str, Any], name: str) -> Iterator[Message]:
    at = datetime.fromisoformat(session["at"])
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    said = [(role, text) for turn in session["turns"] for role, text in turn.items()]
    for place, (role, text) in enumerate(said):
        yield Message(cast(Role, role), text, name, at + place * _APART)


async def note(
    read: Iterable[Conversation], folder: Path, config: Mapping[str, Any] | Config | None = None
) -> list[Noted]:
    """What is believed after each conversation, in a memory of its own; the memories stay in the folder. Raises
    ``RuntimeError`` where a session could not be read.
    """
    return [await _noted(each, folder / str(place), config) for place, each in enumerate(read)]


async def _noted(conversation: Conversation, folder: Path, config: Mapping[str, Any] | Config | None) -> Noted:
    clock = FakeClock()
    async with Memory.open(folder, config=config, clock=clock) as memory:
        for session in conversation.sessions:
            for turn in session:
                clock.moment = turn.at or clock.moment
                await memory.observe(turn.role, turn.content, session=turn.session, at=turn.at)
            clock.moment += _APART
            report = await memory.consolidate(session[0].session)
            if report.waiting:  # as where its reader was killed for want of time: nothing learnt would be no figure
                raise RuntimeError(f"not read: {dict(report.waiting)}")
        hits = await memory.search("", types=_KNOWLEDGE, limit=_EVERYTHING, now=clock.moment, reinforce=False)
        return Noted(conversation, tuple(hit.content for hit in hits))


def _shown(noted: Noted) -> Iterator[str]:
    yield noted.conversation.id
    unlisted = noted.unlisted
    yield from (f"  {'not listed' if each in unlisted else 'learnt'}: {each}" for each in noted.learnt)
    yield from (f"  missed: {each.text}" for each in noted.missed)
    yield from (f"  wrong: {each.text} {noted.saying(each)}" for each in noted.wrong)


def table(noted: Sequence[Noted]) -> Iterator[str]:
    """Lines of a table in Markdown: every figure, by language."""
    rows = {language: counts(each) for language, each in by_language(noted).items()} | {"all": counts(noted)}
    yield f"| | {' | '.join(rows['all'])} |"
    yield f"|---|{'---|' * len(rows['all'])}"
    for name, row in rows.items():
        yield f"| {name} | {' | '.join(str(count) for count in row.values())} |"


def main() -> int:
    """The command."""
    parser = ArgumentParser("notes", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", default="development", help="sealed, development, or a folder; %(default)s without it")
    parser.add_argument("--show", action="store_true", help="print what was learnt, missed and wrong, by conversation")
    given = parser.parse_args()
    of = SETS.get(given.set, Path(given.set))
    if given.show and of.resolve() == SEALED:
        parser.error("of the sealed set only figures are shown: who develops must not look at it")
    try:
        read = conversations(of)
    except ValueError as error:
        parser.error(str(error))
    with tempfile.TemporaryDirectory() as folder:
        noted = asyncio.run(note(read, Path(folder)))
    print(*(line for each in noted if given.show for line in _shown(each)), *table(noted), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
