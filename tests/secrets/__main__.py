"""``python -m tests.secrets [-v]`` prints how much of each set is hidden, as a table; with ``-v`` also the errors."""

import sys
from collections import defaultdict
from collections.abc import Iterable

from tests.secrets.sets import HALVES, Case, known_kinds, lookalikes, passwords, second_hand


def _row(title: str, cases: Iterable[Case], *, wrong: bool) -> None:
    kept = defaultdict[str, list[Case]](list)
    for case in cases:
        kept[case.half].append(case)
    cells = []
    for half in HALVES:
        hidden = [case for case in kept[half] if case.is_hidden()]
        cells += [str(len(kept[half])), f"{len(hidden) / max(1, len(kept[half])):.3f}"]
        is_in_view = half == HALVES[0] or "second hand" in title
        if "-v" in sys.argv and is_in_view and "together" not in title:
            for case in hidden if wrong else (case for case in kept[half] if case not in hidden):
                print(f"    {case.group} | {case.name} | {case.context} | {case.text[:150]!r}")
    print(f"| {title} | {' | '.join(cells)} |")


def main() -> None:
    """Print the table."""
    print(f"| set | {' | '.join(f'{half} | hidden' for half in HALVES)} |\n|---|---|---|---|---|")
    kinds = list(known_kinds())
    for group in dict.fromkeys(case.group for case in kinds):
        _row(f"known by its {group}", (case for case in kinds if case.group == group), wrong=False)
    _row("known kinds, together", kinds, wrong=False)
    for language in ("en", "ru"):
        _row(f"passwords in prose, {language}", passwords(language), wrong=False)
    _row("look-alikes", lookalikes(), wrong=True)
    found = list(second_hand("secrets"))
    for group in dict.fromkeys(case.group for case in found):
        _row(f"second hand, {group}", (case for case in found if case.group == group), wrong=False)
    _row("second hand, look-alikes", second_hand("lookalikes"), wrong=True)


if __name__ == "__main__":
    main()
