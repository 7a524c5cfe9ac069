"""LoCoMo's turns and questions, and as many more turns as wanted made out of them."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from sandbox.extensions.memory import Message

CONVERSATIONS, TURNS, QUESTIONS = "locomo-dev.json", "docs.jsonl", "queries.jsonl"
ANSWERABLE = ("multi_hop", "temporal", "open_domain", "single_hop")
UNANSWERABLE = "adversarial"

_START = datetime(2019, 1, 1, tzinfo=UTC)  # a million made-up turns end in 2024
_APART = timedelta(minutes=3)
_PER_SESSION = 20
_REPLACED = 5  # one word in so many


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation; ``key`` is unique in the corpus."""

    conversation: str
    session: str
    key: str
    speaker: str
    at: datetime
    text: str

    def message(self) -> Message:
        """The turn as it is given to a memory."""
        return Message("user", self.text, self.session, self.at, self.speaker, self.key)


@dataclass(frozen=True, slots=True)
class Question:
    """Something asked about a conversation, and the keys of the turns that answer it."""

    conversation: str
    text: str
    category: str
    gold: frozenset[str]


@dataclass(frozen=True)
class Corpus:
    """The conversations of a data folder."""

    folder: Path
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @classmethod
    def load(cls, data: Path) -> "Corpus":
        """The corpus in ``data/locomo``. Raises ``FileNotFoundError``."""
        folder = data / "locomo"
        turns = tuple(map(_turn, _lines(folder / TURNS)))
        return cls(folder, turns, tuple(map(_question, _lines(folder / QUESTIONS))))

    @property
    def conversations_file(self) -> Path:
        """The conversations in the data set's own format."""
        return self.folder / CONVERSATIONS

    @property
    def conversations(self) -> list[str]:
        """The conversations, in order."""
        return list(dict.fromkeys(turn.conversation for turn in self.turns))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word of every turn, as often as it is said."""
        return tuple(word for turn in self.turns for word in turn.text.split())

    @cached_property
    def sha256(self) -> dict[str, str]:
        """The digest of each file."""
        names = (CONVERSATIONS, TURNS, QUESTIONS)
        return {name: hashlib.sha256((self.folder / name).read_bytes()).hexdigest() for name in names}

    def made_up(self, first: int, count: int, seed: int) -> Iterator[Turn]:
        """``count`` turns of one endless conversation, from place ``first``; a place always has the same turn.

        Each is a real turn with a fifth of its words replaced by words of the corpus, as often as they are said there;
        sessions of 20 turns, three minutes apart, speakers kept.
        """
        return (self._made_up(place, seed) for place in range(first, first + count))

    def _made_up(self, place: int, seed: int) -> Turn:
        real, random = self.turns[place % len(self.turns)], Random(f"{seed}:{place}")
        words = real.text.split()
        for index in random.sample(range(len(words)), round(len(words) / _REPLACED)):
            words[index] = random.choice(self.words)
        session = f"session-{place // _PER_SESSION}"
        return Turn("made up", session, f"made-up-{place}", real.speaker, _START + place * _APART, " ".join(words))

    def asked(self, count: int, seed: int) -> list[Question]:
        """A sample of the real questions of every category; all of them, in another order, where there are fewer."""
        return Random(seed).sample(self.questions, min(count, len(self.questions)))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _turn(row: dict[str, Any]) -> Turn:
    at = datetime.fromisoformat(row["ts"]).replace(tzinfo=UTC)
    return Turn(row["conv_id"], row["session_id"], row["doc_id"], row["speaker"], at, row["text"])


def _question(row: dict[str, Any]) -> Question:
    return Question(row["conv_id"], row["query"], row["category"], frozenset(row["gold_doc_ids"]))
