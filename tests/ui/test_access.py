"""The page is accessible: axe finds no fault on any page, in both colours, wide and narrow; nothing is cut off."""

import re

import pytest

from tests.ui.conftest import Look
from tests.web.conftest import Rest
from tests.web.serving import Served

pytestmark = pytest.mark.web


def pages(served: Served) -> dict[str, str]:
    """The address of each page with content."""
    memories = served.client.get("/api/memory/", params={"limit": 200}).json()["memories"]
    (grand,) = (each["id"] for each in memories if "1911 grand" in each["content"])
    turn = served.client.get(f"/api/memory/{grand}/history").json()["sources"][0]
    return {
        "ask": "ask?q=When+does+Anna+Petrovna%27s+piano+go+home%3F",
        "ask-limits": "ask?q=Who+is+Oma+Gisela%3F&budget=300",
        "ask-nothing": "ask?q=zebra+quantum+chess&known_on=2020-01-01T00%3A00",
        "ask-start": "ask",
        "known": "known",
        "known-narrow": "known?category=instruction&age=year&order=oldest&history=1",
        "memory": f"memory/{grand}",
        "memory-unknown": "memory/nothing",
        "conversations": "talks",
        "conversation": f"talks/{turn['session']}?turn={turn['id']}",
        "found": "talks?q=piano",
        "people": "people",
        "person": "people/Nell?reach=2",
        "time": "time?day=2026-03-07",
        "time-night": "time?day=2026-04-23",
        "decide": "decide",
        "health": "health",
        "nowhere": "nonsense",
    }


@pytest.mark.parametrize("width", [360, 820, 1440])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_problem_on_any_page(look: Look, served: Served, theme: str, width: int) -> None:
    language = "ru" if width == 820 else "en"
    seen = look(theme=theme, width=width, language=language)
    for name, path in pages(served).items():
        seen.go(path)
        if name == "person":
            seen.role("img", re.compile("Nell")).wait_for()
            seen.page.wait_for_timeout(1_000)  # the graph finds its place
        seen.check(f"{name}-{theme}-{width}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_readme_picture_shows_a_prompt_with_its_reasons(look: Look, served: Served, theme: str) -> None:
    """`docs/pictures/` has it; copy it there after a change."""
    seen = look(pages(served)["ask"], theme=theme, width=1280)
    assert "24 March" in seen.role("region", "Word for word").inner_text()
    seen.shoot(f"readme-{theme}")


@pytest.mark.parametrize("width", [360, 820, 1440])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_problem_in_dialogs(look: Look, served: Served, theme: str, width: int) -> None:
    language = "ru" if width == 820 else "en"
    seen = look("ask", theme=theme, width=width, language=language)

    def kept(name: str) -> None:
        seen.check(f"{name}-{theme}-{width}")

    def press(english: str, russian: str) -> None:
        seen.role("button", {"en": english, "ru": russian}[language]).first.click()

    press("Settings", "Настройки")
    kept("settings")
    seen.keys("Escape")
    seen.go("ask?q=Ann")
    seen.page.get_by_text({"en": "Is something missing?", "ru": "Чего-то не хватает?"}[language]).click()
    kept("telling")
    memories = served.client.get("/api/memory/").json()["memories"]
    seen.go(f"memory/{memories[0]['id']}")
    press("Correct", "Исправить")
    kept("correcting")
    seen.go("known")
    seen.role("checkbox", re.compile("Select|Выбрать")).first.check()
    press("Forget", "Забыть")
    kept("forgetting")
    seen.keys("Escape")
    seen.go("talks?q=piano")
    seen.role("link", re.compile("piano")).first.click()
    press("Erase", "Стереть")
    seen.role("dialog").wait_for()
    kept("erasing")
    seen.keys("Escape")
    seen.go("people/Nell")
    press("It is the same as", "Это то же, что и")
    kept("joining")


def test_text_may_be_twice_as_large(look: Look, served: Served) -> None:
    seen = look(width=640)  # a window of 1280 pixels, at 200%
    for name, path in pages(served).items():
        seen.go(path)
        assert seen.beyond <= 0, name


def test_the_keyboard_goes_on_where_it_was(look: Look, rest: Rest) -> None:
    """After a dialog, and after a correction."""
    id = rest.create("Ann lives in Potsdam", "person", subject="Ann")
    seen = look(f"memory/{id}", user=rest.user)
    opener = seen.role("button", "Settings")
    opener.press("Enter")
    seen.role("dialog", "Settings").wait_for()
    seen.keys("Escape")
    seen.page.wait_for_function("document.activeElement.matches('.settings-open')")
    seen.role("button", "Correct").press("Enter")
    seen.role("textbox", "What is right?").fill("Ann lives in Leith")
    seen.keys("Control+Enter")
    seen.role("heading", "Ann lives in Leith").wait_for()
    seen.page.wait_for_function("document.activeElement.textContent === 'Correct'")
