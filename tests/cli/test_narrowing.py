"""The options that select memories: of `list`, `search`, `context`, `export`, and of `forget` for many."""

import shutil

import pytest

from tests.cli.conftest import Cli, lines, turn

TEA, IMPORTS, CAT = "Ann likes green tea.", "Sort imports by module.", "Ann has a cat."


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """A memory that no test changes."""
    folder = tmp_path_factory.mktemp("known")
    cli = Cli(folder / "home")
    cli.fine("import", str(lines(folder / "talk.jsonl", [turn("2026-03-02", "Ann", "The tea is cold.")])))
    cli.remembered(CAT, "--subject", "Ann", "--at", "2025-01-01", "--importance", "4")
    cli.remembered(TEA, "--category", "preference", "--subject", "Ann", "--tag", "food", "--tag", "morning")
    cli.remembered(IMPORTS, "--category", "convention", "--tag", "python", "--type", "procedural", "--context", "Style")
    return cli


@pytest.fixture
def known(read: Cli, cli: Cli) -> Cli:
    """A copy of it."""
    shutil.copytree(read.home, cli.home)
    return cli


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], [IMPORTS, TEA, CAT]),
        (["--category", "preference", "--category", "convention"], [IMPORTS, TEA]),
        (["--tag", "food", "--tag", "morning"], [TEA]),
        (["--subject", "ann"], [TEA, CAT]),
        (["--context", "style"], [IMPORTS]),
        (["--type", "procedural"], [IMPORTS]),
        (["--role", "user"], ["The tea is cold."]),
        (["--before", "2025-06-01"], [CAT]),
        (["--after", "2025-06-01"], [IMPORTS, TEA]),
        (["--after", "2025-01-01T00:00:00+00:00", "--before", "2025-02-01T06:00"], [CAT]),
        (["--after", "last_week"], [IMPORTS, TEA]),
        (["--after", "Yesterday"], [IMPORTS, TEA]),
        (["--after", "today"], [IMPORTS, TEA]),
        (["--before", "1.1.2025"], []),
        (["--before", "2.1.2025 9:00"], [CAT]),
        (["--type", "semantic", "--type", "opinion"], [TEA, CAT]),
        (["--entity", "Ann"], [TEA, CAT]),
        (["--order", "oldest"], [CAT, TEA, IMPORTS]),
        (["--order", "most_important", "--limit", "2"], [CAT, IMPORTS]),
        (["--not-pinned", "--limit", "1"], [IMPORTS]),
        (["--state", "retired"], []),
    ],
)
def test_a_list_has_the_memories_that_its_options_select(read: Cli, options: list[str], expected: list[str]) -> None:
    assert [each["memory"]["content"] for each in read.data("list", *options)["items"]] == expected


def test_a_list_continues_on_the_next_page(known: Cli) -> None:
    first = known.fine("list", "--limit", "2")
    assert "2 of 3; `--cursor " in first
    cursor = first.split("--cursor ")[1].split("`")[0]
    assert CAT in known.fine("list", "--cursor", cursor)


def test_search_and_context_take_the_same_filters(known: Cli) -> None:
    assert [each["content"] for each in known.data("search", "tea", "--tag", "food")] == [TEA]
    assert known.data("search", "tea", "--importance", "5") == []
    block = known.fine("context", "what about tea?", "--category", "preference")
    assert TEA in block
    assert "cold" not in block


def test_a_selection_is_forgotten_after_a_question(known: Cli) -> None:
    asked = known("forget", "--subject", "Ann", input="n\n")
    assert asked.code == 1
    assert "Forget 2 memories?" in asked.err
    assert TEA in asked.out
    assert CAT in asked.out
    assert len(known.data("list")["items"]) == 3
    told = known.fine("forget", "--subject", "Ann", "--yes")
    assert told.startswith("Forgotten: 2 memories.\n`memory undo --interface cli --since ")
    assert {each["memory"]["content"] for each in known.data("list", "--state", "forgotten")["items"]} == {TEA, CAT}
    known.fine(*told.split("`")[1].split()[1:], "--yes")
    assert len(known.data("list")["items"]) == 3


def test_contexts_are_listed_by_priority(known: Cli) -> None:
    id = known.remembered("Names are in English.", "--context", "Words", "--relevant-to", "Ann")
    assert id in {each["memory"]["id"] for each in known.data("list", "--entity", "Ann")["items"]}
    assert [each["name"] for each in known.data("contexts")] == ["Style", "Words"]
    shown = known.fine("contexts", "Words", "--priority", "0.8", "--description", "How we name things")
    assert shown.splitlines()[0].endswith("priority 0.8  1 memory  Words: How we name things")
    assert [each["name"] for each in known.data("contexts")] == ["Words", "Style"]
    assert "contexts" in known.fine("explain", id)
