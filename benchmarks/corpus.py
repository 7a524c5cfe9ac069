"""LoCoMo's turns and questions, and as many more turns as wanted made out of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random
from typing import Any

from benchmarks.data import DataFolder, moment
from sandbox.extensions.memory import Message

ANSWERABLE = ("multi_hop", "temporal", "open_domain", "single_hop")

_SET = "locomo"

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
    """Something asked about a conversation, when, and the keys of the turns that answer it."""

    id: str
    conversation: str
    text: str
    category: str
    gold: frozenset[str]
    now: datetime | None = None


@dataclass(frozen=True)
class Corpus:
    """The conversations of a data folder."""

    data: DataFolder
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @classmethod
    def load(cls, data: DataFolder) -> "Corpus":
        """The turns and questions of LoCoMo. Raises ``DataMissing``."""
        turns, questions = data.rows(_SET, "docs.jsonl"), data.rows(_SET, "queries.jsonl")
        return cls(data, tuple(map(_turn, turns)), tuple(map(_question, questions)))

    @property
    def conversations(self) -> list[str]:
        """The conversations, in order."""
        return list(dict.fromkeys(turn.conversation for turn in self.turns))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word of every turn, as often as it is said."""
        return tuple(word for turn in self.turns for word in turn.text.split())

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


def _turn(row: dict[str, Any]) -> Turn:
    at = datetime.fromisoformat(row["ts"]).replace(tzinfo=UTC)
    session = f"{row['conv_id']}/{row['session_id']}"
    return Turn(row["conv_id"], session, row["doc_id"], row["speaker"], at, row["text"])


def _question(row: dict[str, Any]) -> Question:
    gold, now = frozenset(row["gold_doc_ids"]), moment(row.get("asked_after"))
    return Question(row["qid"], row["conv_id"], row["query"], row["category"], gold, now)
