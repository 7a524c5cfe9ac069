"""Learns how likely a sentence tells something that lasts, from conversations with what is worth keeping of each.

Every figure is of conversations that the weights were not learnt from: ten parts, each read with what the
other nine teach. ``--write`` stores the weights learnt from all.
"""

import json
import math
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.logistic import learn
from benchmarks.notes import SETS, Conversation, conversations
from sandbox.extensions.memory.consolidate.extraction import Turn
from sandbox.extensions.memory.consolidate.own_words import own_words
from sandbox.extensions.memory.parse import clauses, salience
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.parse.tokens import tokens

_HERE = Path(__file__).resolve().parent
CONVERSATIONS = _HERE / "conversations"
WEIGHTS = _HERE.parent / "sandbox" / "extensions" / "memory" / "languages" / "salience.json"

_PARTS = 10
_PENALTY = 10.0
_RAREST = 3  # sentences that a feature is in at least
_DIGITS = 3  # of a stored weight
_LEAST = 0.05  # of a stored weight; the smaller half earns nothing on unseen conversations (docs/experiments.md)
_THRESHOLDS = (0.6, 0.7, 0.75, 0.8, 0.85, 0.9)


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, what is looked at in it, and whether it says something that is to be kept."""

    text: str
    features: frozenset[str]
    is_kept: bool


def examples(conversation: Conversation) -> Iterator[Example]:
    """The sentences of a conversation that could be reported."""
    for session in conversation.sessions:
        turns = [
            Turn(str(at), "user" if each.role == "user" else "assistant", each.content, each.at or datetime.now(UTC))
            for at, each in enumerate(session)
        ]
        for turn in own_words(turns):
            if turn.role != "user":
                continue
            language = language_of(code_of(turn.text))
            for sentence in clauses.sentences(turn.text, language):
                said = tokens(sentence, language)
                if salience.may_be_reported(said):
                    is_kept = any(item.is_said_by(sentence) for item in conversation.keep)
                    is_wrong = any(item.is_said_by(sentence) for item in conversation.never)
                    yield Example(sentence, salience.features(said, language), is_kept and not is_wrong)


def learnt(read: Iterable[Example]) -> dict[str, float]:
    """The weight of each feature that is not rare."""
    rows = list(read)
    return learn([row.features for row in rows], [row.is_kept for row in rows], rarest=_RAREST, penalty=_PENALTY)


def chance(each: Example, weights: Mapping[str, float]) -> float:
    """How likely a sentence is to be kept."""
    return 1 / (1 + math.exp(-sum(weights.get(feature, 0.0) for feature in each.features)))


def _parts(
    read: Sequence[tuple[Conversation, list[Example]]],
) -> Iterator[tuple[Conversation, list[tuple[float, Example]]]]:
    for part in range(_PARTS):
        others = (each for at, (_, some) in enumerate(read) if at % _PARTS != part for each in some)
        weights = learnt(others)
        for conversation, some in read[part::_PARTS]:
            yield conversation, [(chance(each, weights), each) for each in some]


def main() -> None:
    """Learn, measure, and store the weights where that is asked for."""
    parser = ArgumentParser(prog="python -m benchmarks.salience", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"store the weights in {WEIGHTS.name}")
    parser.add_argument("folders", nargs="*", type=Path, default=[CONVERSATIONS, SETS["development"]])
    options = parser.parse_args()
    read = [(each, list(examples(each))) for folder in options.folders for each in conversations(folder)]
    judged = list(_parts(read))
    print("| language | from | kept | right | conversations with something of never |\n|---|---|---|---|---|")
    for code in sorted({each.language for each, _ in judged}):
        own = [(each, some) for each, some in judged if each.language == code]
        for threshold in _THRESHOLDS:
            told = [(each, [example for score, example in some if score >= threshold]) for each, some in own]
            keep = [any(item.is_said_by(one.text) for one in some) for each, some in told for item in each.keep]
            never = [any(item.is_said_by(one.text) for one in some for item in each.never) for each, some in told]
            right = [one.is_kept for _, some in told for one in some]
            print(f"| {code} | {threshold} | {_share(keep)} | {_share(right)} | {_share(never)} |")
    if options.write:
        weights = learnt(each for _, some in read for each in some)
        kept = {name: round(weight, _DIGITS) for name, weight in weights.items() if abs(weight) >= _LEAST}
        WEIGHTS.write_text(json.dumps(kept, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(kept):,} weights of {len(weights):,}, {WEIGHTS.stat().st_size:,} bytes")


def _share(some: Sequence[bool]) -> str:
    return f"{sum(some)} of {len(some)} ({sum(some) / max(1, len(some)):.3f})"


if __name__ == "__main__":
    main()
