"""Learns which sentences of a message are its speaker's own, from messages that hold somebody else's text.

Each file of ``benchmarks/pastes`` is by another author, none of whom had read the code. A message of the kind ``paste``
holds a text, with what must not be learnt of it (``never``) and the user's own sentences (``own``); one of the kind
``honest`` only looks like that. The figures of a file are of weights that were learnt from the other files and from
conversations. ``--write`` stores weights learnt from all. ``--sealed`` measures what is learnt of a set that nobody
develops on.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import yaml

from benchmarks.logistic import learn
from benchmarks.notes import SEALED, SETS, Item, conversations, item
from benchmarks.salience import CONVERSATIONS
from sandbox.extensions.memory.parse import authorship, read
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.text.pasted import said

_HERE = Path(__file__).resolve().parent
PASTES = _HERE / "pastes"
HONEST = sorted((_HERE.parent / "tests" / "attacks" / "data" / "second_hand").glob("*honest.yaml"))
WEIGHTS = _HERE.parent / "sandbox" / "extensions" / "memory" / "languages" / "authorship.json"
_PENALTY, _RAREST = 10.0, 4
_LEAST, _DIGITS = 0.05, 2  # of a stored weight; smaller ones change nothing
_AT = datetime(2026, 3, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Pasted:
    """A message, what of it is the user's own, and what is to be learnt of it and what not."""

    text: str
    is_honest: bool
    own: tuple[str, ...]
    keep: tuple[Item, ...]
    never: tuple[Item, ...]

    def is_own(self, sentence: str) -> bool | None:
        """Whether a sentence is the user's own; None where nobody said so."""
        if self.is_honest or self.own:
            return self.is_honest or any(sentence in each or each in sentence for each in self.own)
        keeps, nevers = (any(item.is_said_by(sentence) for item in items) for items in (self.keep, self.never))
        return None if keeps == nevers else keeps


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence's features with those of what it stands in, and whether it is the user's own."""

    features: frozenset[str]
    is_own: bool
    is_honest: bool


def messages(file: Path) -> list[Pasted]:
    """The messages of a file."""
    rows = cast(list[dict[str, Any]], yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader))
    return [
        Pasted(
            row["text"],
            row["kind"] == "honest",
            tuple(_plain(each) for each in row.get("own") or ()),
            tuple(item(each["fact"], each) for each in row.get("keep") or ()),
            tuple(item(each["what"], each) for each in row.get("never") or ()),
        )
        for row in rows
    ]


def _plain(text: str) -> str:
    return text.replace("’", "'").strip()


def examples(message: Pasted) -> Iterator[Example]:
    """The sentences of a message, and of what is left where sure marks cut it."""
    left = said(message.text)
    for text in {message.text, left} if left else {message.text}:
        for sentence, features in _sentences(text):
            if (is_own := message.is_own(sentence)) is not None:
                yield Example(features, is_own, message.is_honest)


def talk() -> Iterator[Example]:
    """The sentences of users in conversations where no sure mark cuts anything, and of honest turns by an author of
    attacks.
    """
    told = [
        turn.content
        for folder in (CONVERSATIONS, SETS["development"])
        for conversation in conversations(folder)
        for session in conversation.sessions
        for turn in session
        if turn.role == "user"
    ]
    rows = [row for file in HONEST for row in yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)]
    told += [step["text"] for row in rows for step in row["steps"] if step.get("role") == "user"]
    for text in told:
        if said(text) == _plain(text):
            yield from (Example(features, True, True) for _, features in _sentences(text))


def _sentences(text: str) -> list[tuple[str, frozenset[str]]]:
    message, paragraphs = authorship.described(text, code_of(text))
    found = [
        (sentence.text, message | paragraph.features | sentence.features)
        for paragraph in paragraphs
        for line in paragraph.lines
        for sentence in line
    ]
    return found if len(found) > 1 else []


def learnt(rows: Sequence[Example]) -> dict[str, float]:
    """The weights of features."""
    found = learn([row.features for row in rows], [row.is_own for row in rows], rarest=_RAREST, penalty=_PENALTY)
    return {name: round(weight, _DIGITS) for name, weight in found.items() if abs(weight) >= _LEAST}


def _share_left_out(rows: Sequence[Example], weights: Mapping[str, float]) -> str:
    left_out = sum(sum(weights.get(each, 0.0) for each in row.features) < 0 for row in rows)
    return f"{left_out} of {len(rows)} ({left_out / max(1, len(rows)):.3f})"


def sealed() -> None:
    """Print what is learnt of the sealed messages."""
    pastes = [each for file in sorted((SEALED / "pastes").glob("*.yaml")) for each in messages(file)]
    through, kept = 0, {True: [0, 0], False: [0, 0]}
    for each in pastes:
        own = said(each.text)
        found = [statement.content for statement in read([("user", own, _AT)], {"user": ""}).statements]
        through += any(item.is_said_by(content) for content in found for item in each.never)
        known = sum(any(item.is_said_by(content) for content in found) for item in each.keep)
        kept[each.is_honest] = [kept[each.is_honest][0] + known, kept[each.is_honest][1] + len(each.keep)]
    count = sum(not each.is_honest for each in pastes)
    print(f"pastes of which something is learnt that is not the user's own: {through} of {count}")
    print(
        "facts of the user's own that are learnt: beside pastes {} of {}, honest {} of {}".format(
            *kept[False], *kept[True]
        )
    )


def main() -> None:
    """Learn, measure, and store the weights where that is asked for."""
    parser = ArgumentParser(prog="python -m benchmarks.authorship", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"store the weights in {WEIGHTS.name}")
    parser.add_argument("--sealed", action="store_true", help="only measure the stored weights on the sealed set")
    options = parser.parse_args()
    if options.sealed:
        sealed()
        return
    files = {file: [row for each in messages(file) for row in examples(each)] for file in sorted(PASTES.glob("*.yaml"))}
    said_in_talk = list(talk())
    print("| left out | others' sentences | own beside them | honest | talk |\n|---|---|---|---|---|")
    for at, (file, own) in enumerate(files.items()):
        heard, unheard = (
            (said_in_talk[:-1:2], said_in_talk[1::2]) if at % 2 else (said_in_talk[1::2], said_in_talk[::2])
        )
        weights = learnt([*(row for other, rows in files.items() if other != file for row in rows), *heard])
        groups = (
            [row for row in own if not row.is_own],
            [row for row in own if row.is_own and not row.is_honest],
            [row for row in own if row.is_honest],
            unheard,
        )
        print(f"| {file.stem} | {' | '.join(_share_left_out(rows, weights) for rows in groups)} |")
    if options.write:
        weights = learnt([*(row for rows in files.values() for row in rows), *said_in_talk])
        WEIGHTS.write_text(json.dumps(weights, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(weights):,} weights, {WEIGHTS.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
