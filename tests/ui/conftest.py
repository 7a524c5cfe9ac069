"""A memory, its server, and a browser that may reach nothing else."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from tests.ui.looking import Looking
from tests.web.conftest import Rest
from tests.web.serving import COMMAND, Served, serving

_CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
_numbers = count()

Look = Callable[..., Looking]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    assert _CHROMIUM, "install Debian's chromium, or say where one is in the variable CHROMIUM"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home at the end of the demo."""
    home = tmp_path_factory.mktemp("demo") / "home"
    subprocess.run([*COMMAND, "demo", "--keep", str(home)], check=True, capture_output=True, timeout=600)
    return home


@pytest.fixture(scope="session")
def served(demo: Path) -> Iterator[Served]:
    """One server for every test; tests that change something use users of their own."""
    with serving(demo) as server:
        yield server


@pytest.fixture
def rest(served: Served) -> Rest:
    """A user with an empty memory, over REST."""
    made = Rest(served.client)
    made.user = f"person-{next(_numbers)}"
    return made


@pytest.fixture
def look(browser: Any, served: Served) -> Iterator[Look]:
    """Opens a page; at the end no page may have failed, or have reached another server."""
    opened: list[Looking] = []

    def open_(
        path: str = "",
        *,
        url: str = served.url,
        language: str = "en",
        theme: str = "light",
        width: int = 1280,
        user: str | None = None,
        token: str | None = None,
        allowed: tuple[str, ...] = (),
    ) -> Looking:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=theme,
            locale={"en": "en-GB", "ru": "ru-RU"}[language],
            timezone_id="Europe/Berlin",
            reduced_motion="reduce",
        )
        context.set_default_timeout(30_000)
        made = Looking(context.new_page(), url, allowed)
        opened.append(made)
        told = "&".join(f"{name}={quote(value)}" for name, value in (("user", user), ("token", token)) if value)
        if told:
            made.page.goto(f"{url}/ui/#{told}")
            made.page.get_by_role("heading", level=1).wait_for()
        made.go(path)
        return made

    yield open_
    for each in opened:
        each.page.context.close()
        assert each.problems == []
        assert {urlsplit(asked).netloc for asked in each.asked} <= {urlsplit(each.url).netloc}
