"""A terminal gets content unchanged, but no control characters."""

import json

import pytest
from rich.console import Console

from sandbox.cli.page import Page
from sandbox.support.characters import printable
from tests.cli.conftest import Cli

NASTY = "[bold]not markup[/bold] :smile: \x1b[31mred\x1b[0m\x07 \x9b2J \u202eevil [/] [link=http://x]y"


def test_no_markup_and_no_control_characters_of_content_reach_the_terminal(cli: Cli) -> None:
    id = cli.directly(lambda memory: memory.remember(NASTY, subject="[red]Ann", source="inferred"), days_ago=50)
    markup = ["search", "markup"]
    for command in (["weak"], markup, ["entity", "[red]Ann"], ["explain", id], ["context", "markup"], ["forget", id]):
        shown = cli.fine(*command)
        assert "[bold]not markup[/bold] :smile:" in shown
        assert "[red]Ann" in shown or command[0] in ("context", "forget")
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)
        assert "\N{SYMBOL FOR ESCAPE}[31mred" in shown
    raw = cli.fine("explain", id, "--json")
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(raw)
    assert json.loads(raw)["memory"]["content"] == NASTY


def test_control_characters_in_arguments_are_harmless_in_errors(cli: Cli, tmp_path: object) -> None:
    for command in (["explain", "\x1b[2J"], ["entity", "\x1b[2J"], ["import", f"{tmp_path}/\x1b[2J.jsonl"]):
        answer = cli(*command)
        assert answer.code == 1
        assert "\x1b" not in answer.err + answer.out
        assert answer.err.count("\n") == 1


def test_long_content_is_wrapped_without_loss(cli: Cli) -> None:
    words = " ".join(f"word{number}" for number in range(200)) + " " + "x" * 300
    cli.remembered(words)
    shown = cli.fine("search", "word7", "--full")
    assert max(map(len, shown.splitlines())) <= 80
    assert "".join(shown.split()).endswith("".join(words.split()))
    assert not any(line != line.rstrip() for line in shown.splitlines())


@pytest.mark.parametrize(
    "text", ["日本語のテキスト", "Жду двадцать четвёртого", "שלום עולם", "👩‍🚀 in space", "naïve Straße"]
)
def test_every_script_is_printed(cli: Cli, text: str) -> None:
    id = cli.remembered(text)
    assert text in cli.fine("explain", id)
    assert text in cli.fine("explain", id, "--json")


def test_content_keeps_its_lines(cli: Cli) -> None:
    cli.remembered("first line\nsecond line\r\n\tindented")
    assert "  first line\n  second line\n      indented\n" in cli.fine("search", "line")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüße, 你好 👋\nnext", "Grüße, 你好 👋\nnext"),
        ("a\r\nb\u2028c\td\x00\x7f\rx", "a\nb\nc    d␀␡␍x"),
        ("a\u202eb\u2066c\u200f d\U000e0041\u200be\ufe0f\u200d\ufe0f\ufe0ff", "abc de\ufe0f\u200df"),
        ("❤️‍🔥 می‌خواهم", "❤️‍🔥 می‌خواهم"),
    ],
)
def test_only_what_is_neither_invisible_nor_a_control_character_is_printed(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_wide_characters_are_wrapped_by_width() -> None:
    console = Console(width=30, record=True, highlight=False)
    Page(console).text("漢字" * 20)
    assert all(len(line) * 2 <= 32 for line in console.export_text().splitlines())


@pytest.mark.parametrize("name", ["explain", "correct", "confirm", "forget", "restore"])
def test_json_output_names_the_changed_memory(cli: Cli, name: str) -> None:
    id = cli.remembered("Ann likes tea.")
    document = cli.data(name, id, *(["Ann likes coffee."] if name == "correct" else []))
    assert (document["memory"] if name == "explain" else document)["id"] == id
