"""How many scenarios of learning the rules alone get right, by topic and language, and which they do not.

A scenario is a test of ``tests/memory/learning`` whose docstring is a conversation. Those that need a language model
are run with the rules as well, and counted apart. ``--list`` writes the ones that fail as the list of
``not_yet.yaml``, keeping the reasons it has.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

SCENARIOS = Path(__file__).parent.parent / "tests" / "memory" / "learning"
NOT_YET = SCENARIOS / "not_yet.yaml"
LANGUAGES = ("english", "russian")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One scenario: ``name`` is ``language/test_topic::test``."""

    name: str
    needs_model: bool
    right: bool

    @property
    def language(self) -> str:
        """Its folder."""
        return self.name.partition("/")[0]

    @property
    def topic(self) -> str:
        """Its module; what needs a model is a topic of its own."""
        return "needs a model" if self.needs_model else self.name.split("::")[0].partition("/test_")[2]


class RulesAlone:
    """A plugin of pytest that keeps outcomes, and lets no scenario script a model."""

    def __init__(self) -> None:
        self.outcomes: dict[str, Outcome] = {}
        self._needing: set[str] = set()

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        """What the scenarios look at."""
        parser.addoption("--rules-alone", action="store_true")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Scenarios alone."""
        items[:] = [item for item in items if "learnt" in getattr(item, "fixturenames", ())]
        self._needing = {item.nodeid for item in items if item.get_closest_marker("needs_model")}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Right is what passes in every phase."""
        name = report.nodeid.rpartition("learning/")[2].replace(".py", "")
        so_far = self.outcomes.get(name)
        right = report.passed and (so_far is None or so_far.right)
        self.outcomes[name] = Outcome(name, report.nodeid in self._needing, right)


def run() -> tuple[Outcome, ...]:
    """Every scenario, in the order of the files, with the rules alone."""
    plugin = RulesAlone()
    quietly = ["-o", "addopts=", "-p", "no:terminal", "-p", "no:cacheprovider"]
    paths = [str(SCENARIOS / language) for language in LANGUAGES]
    pytest.main([*quietly, "--runxfail", "--rules-alone", *paths], plugins=[plugin])
    return tuple(plugin.outcomes.values())


def table(outcomes: Sequence[Outcome]) -> Iterable[str]:
    """Lines of a table in Markdown: right of all, by topic and language."""
    topics = sorted({each.topic for each in outcomes if not each.needs_model})
    yield f"| topic | {' | '.join(LANGUAGES)} |"
    yield f"|---|{'---|' * len(LANGUAGES)}"
    for topic in topics:
        yield _line(topic, [each for each in outcomes if each.topic == topic])
    yield _line("**all of these**", [each for each in outcomes if not each.needs_model])
    yield _line("needs a model", [each for each in outcomes if each.needs_model])


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    cells = [_share([each.right for each in outcomes if each.language == language]) for language in LANGUAGES]
    return f"| {name} | {' | '.join(cells)} |"


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)} ({sum(right) / len(right):.0%})" if right else ""


def not_yet(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """The list of those that the rules are to get right and do not, by name, with the reasons it has."""
    reasons = yaml.safe_load(NOT_YET.read_text(encoding="utf-8")) or {}
    failing = [each.name for each in outcomes if not each.right and not each.needs_model]
    return {name: reasons.get(name, "the sentence is not among those the rules read") for name in failing}


def main() -> int:
    """Print the table; 1 where there was nothing to run."""
    parser = ArgumentParser("learning_scenarios", description=__doc__)
    parser.add_argument("--list", action="store_true", help="write those that fail as not_yet.yaml")
    given = parser.parse_args()
    outcomes = run()
    failing = not_yet(outcomes)
    if given.list:
        NOT_YET.write_text(yaml.safe_dump(failing, allow_unicode=True, sort_keys=False, width=200), encoding="utf-8")
    print(*table(outcomes), "", "Not right:", *(f"- {name}: {why}" for name, why in failing.items()), sep="\n")
    return 0 if outcomes else 1


if __name__ == "__main__":
    sys.exit(main())
