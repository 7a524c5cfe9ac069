"""How the time of a pattern grows with the text: doubled for each character, or more than linearly."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.patterns.automaton import Automaton, Link


def is_exponential(made: Automaton) -> bool:
    """Whether a repeat can take the same characters in more than one way, as often as it is repeated."""
    links = _risky(made)
    component = _components(links)
    for at, following in links.items():
        inside = [link for link in following if component[link[0]] == component[at]]
        if len({link[0] for link in inside}) < len(inside) and _twice(made, at, inside):
            return True
    pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    waiting = [(at, at) for at in links]
    while waiting:
        pair = waiting.pop()
        if pair in pairs:
            continue
        one, other = pair
        pairs[pair] = [
            (left[0], right[0])
            for left, right in _both(made, links, one, other)
            if component[left[0]] == component[one] and component[right[0]] == component[other]
        ]
        waiting += pairs[pair]
    found = _components({pair: [(to, 0, 0) for to in following] for pair, following in pairs.items()})
    members = defaultdict(set)
    for pair, number in found.items():
        members[number].add(pair[0] == pair[1])
    return any(len(kinds) == 2 for kinds in members.values())


def is_polynomial(made: Automaton) -> bool:
    """Whether of two repeats, one behind the other, both can take the same characters."""
    links = _risky(made)
    component = _components(links)
    loops = {
        at
        for at in links
        if made.positions[at].endless and any(component[link[0]] == component[at] for link in links[at])
    }
    reachable = {at: _reachable(links, at) for at in loops}
    return any(
        made.positions[first].letters & made.positions[second].letters
        and _overlap(made, links, component, reachable, first, second)
        for first in loops
        for second in loops & reachable[first]
        if first != second
    )


def _overlap(
    made: Automaton,
    links: dict[int, list[Link]],
    component: Mapping[int, int],
    reachable: dict[int, set[int]],
    first: int,
    second: int,
) -> bool:
    """Whether one word leads from the first back to it, from it to the second, and from the second back to it."""
    start, end = (first, first, second), (first, second, second)
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        one, between, other = state
        for left, right in _both(made, links, one, other):
            if component[left[0]] != component[first] or component[right[0]] != component[second]:
                continue
            for middle in links[between]:
                following = (left[0], middle[0], right[0])
                if following in seen or not _together(made, state, (left, middle, right)):
                    continue
                if following == end:
                    return True
                if middle[0] not in reachable:
                    reachable[middle[0]] = _reachable(links, middle[0])
                if middle[0] == second or second in reachable[middle[0]]:
                    seen.add(following)
                    waiting.append(following)
    return False


def _both(made: Automaton, links: dict[int, list[Link]], one: int, other: int) -> Iterator[tuple[Link, Link]]:
    """The links of two positions that one text follows."""
    before = made.positions[one].letters & made.positions[other].letters
    by_letter: dict[int, list[Link]] = {}
    for right in links[other]:
        by_letter.setdefault(right[2] & made.positions[right[0]].letters, []).append(right)
    for left in links[one]:
        after = left[2] & made.positions[left[0]].letters
        for letters, rights in by_letter.items():
            if letters & after:
                yield from ((left, right) for right in rights if before & left[1] & right[1])


def _risky(made: Automaton) -> dict[int, list[Link]]:
    """The links between positions from which a pattern can still fail."""
    return {
        at: [link for link in made.links[at] if link[0] not in made.safe]
        for at in range(len(made.positions))
        if at not in made.safe
    }


def _twice(made: Automaton, at: int, inside: list[Link]) -> bool:
    """Whether two ways lead from a position to the same one."""
    return any(
        one[0] == other[0] and _together(made, (at, at), (one, other))
        for number, one in enumerate(inside)
        for other in inside[:number]
    )


def _together(made: Automaton, positions: tuple[int, ...], links: tuple[Link, ...]) -> bool:
    """Whether one character before them and one behind them allow all of some links."""
    before = after = -1
    for at, (to, asked_before, asked_after) in zip(positions, links, strict=True):
        before &= made.positions[at].letters & asked_before
        after &= made.positions[to].letters & asked_after
    return bool(before and after)


def _reachable(links: dict[int, list[Link]], start: int) -> set[int]:
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        for link in links[waiting.pop()]:
            if link[0] not in seen:
                seen.add(link[0])
                waiting.append(link[0])
    return seen


def _components(links: Mapping[Any, Sequence[Any]]) -> dict[Any, Any]:
    """For each node one of its strongly connected component, which stands for it (Kosaraju, without recursion)."""
    back: dict[Any, list[Any]] = defaultdict(list)
    ended: dict[Any, None] = {}
    begun: set[Any] = set()
    for node, following in links.items():
        for link in following:
            back[link[0]].append(node)
    for root in links:
        way = [(root, iter(links[root]))]
        while way:
            node, left = way[-1]
            begun.add(node)
            ahead = next((link[0] for link in left if link[0] not in begun), None)
            if ahead is not None:
                way.append((ahead, iter(links[ahead])))
            else:
                ended[way.pop()[0]] = None
    found: dict[Any, Any] = {}
    for root in reversed(ended):
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found[node] = root
                waiting += back[node]
    return found
