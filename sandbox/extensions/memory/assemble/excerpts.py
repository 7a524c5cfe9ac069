"""Cut a long turn to the passages that cover most of the question, within a length. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heapreplace

from sandbox.extensions.memory.text.words import terms

GAP = "…"
_LOOKED_AT = 50_000  # characters; of a longer text only the most relevant parts are split into passages
_MOST_STRETCHES = 25
_LEFT_OUT = ""  # stands for the gaps between passages
_PASSAGE = re.compile(r"(?<=[.!?…])(?<!\d\.)\s+|(?<=[。！？])|(?<=\S)\s*\n\s*")
# a part of a passage without an end, cut between words
_PIECE = re.compile(r"\S(?:.{0,298}\S(?=\s|$)|.{0,299})", re.DOTALL)
_STRETCH = re.compile(r"\S(?:.{999,1998}[.!?…。！？\n](?=\s|$)|.{0,1998}\S(?=\s|$)|.{0,1999})", re.DOTALL)
_KNOWN = 0.3  # of its weight, for a term that an earlier passage already has


def excerpt(text: str, weights: Mapping[str, float], most: int) -> str:
    """Passages of a text, at most ``most`` characters, with ``…`` for gaps. First come the passages with the most
    weight (``weights`` are those of terms), then the passages after these, then the others from the beginning, while
    there is room.
    """
    return text if len(text) <= most else Passages(text, weights).within(most)


class Passages:
    """The passages of a text, the most relevant first; computed in time linear in the length of the text."""

    def __init__(self, text: str, weights: Mapping[str, float]) -> None:
        self._text = text
        self._passages = list(_passages(text, weights))
        self._order = [place for place in _in_order(self._passages, weights) if self._passages[place] != _LEFT_OUT]

    def within(self, most: int) -> str:
        """An excerpt of at most so many characters."""
        if len(self._text) <= most:
            return self._text
        room, taken = most - len(f"{GAP} "), dict[int, str]()
        for place in self._order:
            if room <= 0:
                break
            passage = self._passages[place] if taken else _shortened(self._passages[place], room)
            if len(passage) <= room:
                taken[place] = passage
                room -= len(f" {GAP} {passage}")
        return _joined(taken, len(self._passages)) if most > len(GAP) else self._text[:most]


def _passages(text: str, weights: Mapping[str, float]) -> Iterator[str]:
    """The passages in order of the text, with ``_LEFT_OUT`` for skipped parts of a very long text."""
    stretches = [text.strip()] if len(text) <= _LOOKED_AT else _STRETCH.findall(text)
    before = -1
    for place in sorted(_in_order(stretches, weights)[:_MOST_STRETCHES]):
        if place > before + 1:
            yield _LEFT_OUT
        before = place
        for passage in _PASSAGE.split(stretches[place]):
            yield from _PIECE.findall(passage)
    if before < len(stretches) - 1:
        yield _LEFT_OUT


def _in_order(passages: Sequence[str], weights: Mapping[str, float]) -> list[int]:
    """Indexes of passages: the most relevant first, then those that follow them, then the others in order."""
    telling = [weights.keys() & terms(passage) for passage in passages] if weights else []
    known, order = set[str](), list[int]()
    queue = [(-_worth(said, weights, known), place) for place, said in enumerate(telling) if said]
    heapify(queue)
    while queue:
        worth, place = queue[0]
        if (now := -_worth(telling[place], weights, known)) > worth:
            heapreplace(queue, (now, place))
        else:  # its own gain is as it was, the others have only fallen
            heappop(queue)
            known |= telling[place]
            order.append(place)
    after = [place + 1 for place in order if place + 1 < len(passages)]
    return list(dict.fromkeys([*order, *after, *range(len(passages))]))


def _worth(said: set[str], weights: Mapping[str, float], known: set[str]) -> float:
    return sum(weight * (_KNOWN if term in known else 1) for term, weight in weights.items() if term in said)


def _shortened(passage: str, room: int) -> str:
    """A passage, or its beginning, cut between words."""
    if len(passage) <= room:
        return passage
    return passage[: max(0, room - len(GAP))].rsplit(" ", 1)[0].rstrip() + GAP


def _joined(taken: Mapping[int, str], count: int) -> str:
    """Passages in order of the text, with signs for the gaps."""
    parts, before = list[str](), -1
    for place in sorted(taken):
        parts += [GAP] * (place > before + 1 and not _ends_in_gap(parts)) + [taken[place]]
        before = place
    return " ".join(parts + [GAP] * (before < count - 1 and not _ends_in_gap(parts)))


def _ends_in_gap(parts: Sequence[str]) -> bool:
    return bool(parts) and parts[-1].endswith(GAP)
