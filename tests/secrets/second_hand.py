"""``python -m tests.secrets.second_hand``: the set of a second author, who had not seen the rules. It has texts with a
secret, pairs of turns whose second one is a secret, and texts that only look like it. Prints a table and the errors.
"""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.extensions.memory import Memory
from tests.secrets.sets import ENCLOSED, Case, made, read


def secrets() -> Iterator[Case]:
    """Texts that contain a secret."""
    for group, texts in _groups("secrets"):
        for text in texts:
            yield Case(group, text, group, *_told(text))


def lookalikes() -> Iterator[Case]:
    """Texts without one."""
    for group, texts in _groups("lookalikes"):
        for text in texts:
            yield Case(group, text, group, _told(text)[0])


async def left_in_turns(folder: Path) -> tuple[int, list[str]]:
    """The number of pairs of turns, and those whose secret stays."""
    pairs, left = read("second_hand.yaml")["turns"], []
    async with Memory.open(folder, embedder=None) as memory:
        for number, (first, second) in enumerate(pairs):
            text, secret = _told(second)
            for turn in (first, text):
                await memory.observe("user", turn, session=f"{number}")
            kept = await memory.list(session_id=f"{number}")
            if len(kept.items) != 2 or any(secret in each.memory.content for each in kept.items):
                left.append(f"{first} | {second}")
    return len(pairs), left


def main() -> None:
    """Print the table."""
    print("| set | texts | hidden |\n|---|---|---|")
    wrong = list[Case]()
    for title, cases, is_secret in (("secrets", secrets(), True), ("look-alikes", lookalikes(), False)):
        groups: dict[str, list[Case]] = {}
        for case in cases:
            groups.setdefault(case.group, []).append(case)
            wrong += [case] if case.is_hidden() != is_secret else []
        for group, several in groups.items():
            print(f"| {title}, {group} | {len(several)} | {sum(case.is_hidden() for case in several)} |")
    with TemporaryDirectory() as folder:
        tried, left = asyncio.run(left_in_turns(Path(folder)))
    print(f"| pairs of turns | {tried} | {tried - len(left)} |")
    print("".join(f"  {case.group}: {case.name!r}\n" for case in wrong), *left, sep="\n  ")


def _groups(name: str) -> Iterator[tuple[str, list[str]]]:
    yield from read("second_hand.yaml")[name].items()


def _told(shape: str) -> tuple[str, str]:
    """A text of the shape, and its secret."""
    text = made(shape, random.Random(shape))
    secret = ENCLOSED.search(text)
    return ENCLOSED.sub(lambda match: match[1], text), secret[1] if secret else ""


if __name__ == "__main__":
    main()
