"""Many memories and a long conversation open and scroll without a stall; the bundle is built from its source."""

import asyncio
import filecmp
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import sandbox.extensions.memory_web as web
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.model import Claim
from tests.ui.conftest import Look
from tests.web.serving import Served, serving

pytestmark = pytest.mark.web

FACTS, TURNS, PEOPLE = 20_000, 10_000, 1_500
FIRST_PAINT = 1_000  # milliseconds
LONGEST_TASK = 300  # milliseconds in which nothing else is done, on a machine that others use
FIRST_DRAWN = 1_500  # the same without a graphics card

_WATCH = """() => {
    window.longest = 0;
    new PerformanceObserver(list => list.getEntries().forEach(
        each => { window.longest = Math.max(window.longest, each.duration); }
    )).observe({type: 'longtask', buffered: false});
}"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("large") / "home"
    file = home.parent / "facts.json"
    facts = [{"id": f"f{place}", "memory": f"Box {place} stands on shelf {place % 977}"} for place in range(FACTS)]
    file.write_text(json.dumps({"results": facts}), encoding="utf-8")
    with ThreadPoolExecutor(1) as elsewhere:  # the browser has an event loop in this thread
        elsewhere.submit(asyncio.run, _fill(home, file)).result()
    with serving(home) as server:
        yield server


async def _fill(home: Path, file: Path) -> None:
    async with Memory.open(home, embedder=None) as memory:
        report = await memory.import_file(file)
        assert report.new == FACTS
        turns = [
            Message("user", f"This is turn {place}. " + "And on it goes. " * (place % 9), "long")
            for place in range(TURNS)
        ]
        await memory.observe_many(turns)
        for place in range(PEOPLE):
            claim = Claim(f"Person{place}", "employer", "Acme")
            scope = Scope("crowd")
            await memory.remember(f"Person{place} works at Acme", category="person", claims=[claim], scope=scope)


def test_a_list_of_many_memories_opens_and_scrolls(look: Look, large: Served) -> None:
    seen = look("known", url=large.url)
    assert "20,000 memories" in seen.text()
    paint = seen.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < FIRST_PAINT
    assert seen.page.locator("body *").count() < 1_500
    seen.page.evaluate(_WATCH)
    seen.role("link", f"Box {FACTS - 1} stands").focus()
    for _ in range(8):
        seen.keys("End")
        seen.page.wait_for_timeout(200)
    reached = seen.page.evaluate("Number(document.activeElement.closest('[aria-posinset]').ariaPosInSet)")
    assert reached > 1_000
    assert seen.page.locator("body *").count() < 1_500
    assert seen.page.evaluate("window.longest") < LONGEST_TASK


def test_a_long_conversation_opens_at_any_turn(look: Look, large: Served) -> None:
    around = large.client.get("/api/sessions/long/turns", params={"offset": 7_000, "limit": 1}).json()
    id = around["turns"][0]["turn"]["id"]
    seen = look(f"talks/long?turn={id}", url=large.url)
    meant = seen.page.locator("[aria-current=true]")
    meant.wait_for()
    assert "This is turn 7000." in meant.inner_text()
    box = seen.page.evaluate("document.querySelector('.virtual').getBoundingClientRect().toJSON()")
    place = meant.bounding_box()
    assert box["top"] - 5 <= place["y"] <= box["bottom"]
    seen.page.evaluate(_WATCH)
    meant.get_by_role("link").first.focus()
    seen.keys("End")
    seen.page.get_by_text("This is turn 9999.").wait_for()
    seen.keys("Home")
    seen.page.get_by_text("This is turn 0.").wait_for()
    assert seen.page.evaluate("window.longest") < LONGEST_TASK
    assert seen.page.locator("body *").count() < 1_500


def test_a_large_graph_is_drawn_without_blocking_the_page(look: Look, large: Served) -> None:
    seen = look("people", url=large.url, user="crowd")
    seen.page.evaluate(_WATCH)
    seen.go("people/Acme?reach=3")
    seen.role("img", re.compile("Who and what is near")).wait_for()
    seen.page.wait_for_timeout(4_000)  # while it is laid out
    assert seen.page.evaluate("window.longest") < FIRST_DRAWN
    seen.page.evaluate(_WATCH)
    seen.page.mouse.wheel(0, 600)
    seen.role("combobox", "Reach").focus()
    seen.page.wait_for_timeout(500)
    assert seen.page.evaluate("window.longest") < LONGEST_TASK
    edges = large.client.get("/api/entities/Acme/neighbourhood", params={"user": "crowd", "limit": 2_000}).json()[
        "edges"
    ]
    assert len(edges) >= PEOPLE
    assert seen.page.locator("body *").count() < 1_500


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
def test_the_bundle_is_built_from_the_source(tmp_path: Path) -> None:
    folder, built = Path(web.__file__).parent, tmp_path / "static"
    for command in (
        ["node_modules/.bin/vite", "build", "--outDir", str(built), "--logLevel", "error"],
        ["node", "digest.js", str(built)],
    ):
        subprocess.run(command, cwd=folder / "ui", check=True, capture_output=True, timeout=120)
    compared = filecmp.dircmp(built, folder / "static")
    assert (compared.left_only, compared.right_only) == ([], [])
    _, differing, failed = filecmp.cmpfiles(built, folder / "static", compared.common_files, shallow=False)
    assert (differing, failed) == ([], [])
