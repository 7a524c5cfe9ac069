"""The page that shows a memory, in Chromium, over many memories and a long conversation: ``python -m benchmarks.page``.

First paint is what the browser reports of a page that is opened anew, on loopback. An interaction is a key or a click.
Its time is that of Event Timing: from the input to the next paint, in steps of 8 ms; the browser reports none below
16 ms, and 16 stands for these. Beside it stands the time of the processor that the page's main thread spent on it, on
which other programs of the machine have less influence. It needs what ``make test-web`` needs.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from benchmarks.measure import percentile
from sandbox.extensions.memory import Memory, Message

_WORDS = ("lamp", "kettle", "ladder", "bicycle", "atlas", "violin", "anchor")
_SEEN = 16  # milliseconds, the least that Event Timing reports
_WATCH = f"""() => {{
    window.seen = new Map();
    new PerformanceObserver(list => list.getEntries().filter(each => each.interactionId).forEach(each =>
        window.seen.set(each.interactionId, Math.max(each.duration, window.seen.get(each.interactionId) ?? 0))
    )).observe({{type: 'event', durationThreshold: {_SEEN}}});
}}"""
_PAINTED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
_FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def main() -> None:
    """Build, measure, print."""
    parser = ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--home", type=Path, help="keep the memory there, and use the one that is there")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        home: Path = options.home or Path(folder) / "home"
        if not home.exists():
            asyncio.run(_build(home, _facts(Path(folder), options.memories), options.turns))
        with _serving(home) as url:
            _measure(url, options.repeats)


def _facts(folder: Path, count: int) -> Path:
    """A file of statements to import."""
    facts = [
        {"id": f"f{place}", "memory": f"The {_WORDS[place % len(_WORDS)]} {place} stands on shelf {place % 977}"}
        for place in range(count)
    ]
    file = folder / "facts.json"
    file.write_text(json.dumps({"results": facts}), encoding="utf-8")
    return file


async def _build(home: Path, facts: Path, turns: int) -> None:
    """A home with these memories and one conversation."""
    async with Memory.open(home, embedder=None) as memory:
        await memory.import_file(facts)
        said = (f"This is turn {place}. {'And on it goes. ' * (place % 9)}" for place in range(turns))
        await memory.observe_many(Message("user", text, "long") for text in said)


@contextmanager
def _serving(home: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "sandbox.cli", "--home", str(home), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())
            assert found, process.stderr.read()
            yield found[0]
        finally:
            process.kill()


def _measure(url: str, repeats: int) -> None:
    from playwright.sync_api import sync_playwright

    turns = f"{url}/api/sessions/long/turns"
    total = httpx.get(turns, params={"limit": 1}, trust_env=False).json()["total"]
    middle = httpx.get(turns, params={"limit": 1, "offset": total // 2}, trust_env=False).json()["turns"][0]["turn"]
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        known, talk = "known", f"talks/long?turn={middle['id']}"
        for path in (known, talk, "ask?q=Where+is+the+lamp%3F", "time", "health"):
            paints, shown = zip(*(_opened(browser, f"{url}/ui/#/{path}") for _ in range(repeats)), strict=True)
            name = path.partition("?")[0]
            print(
                f"{name:<10} first paint: median {median(paints):.0f} ms, worst {max(paints):.0f};"
                f" all is there: median {median(shown):.0f} ms, worst {max(shown):.0f}"
            )
        for path in (known, talk):
            _walk(browser, f"{url}/ui/#/{path}", path.partition("?")[0], repeats)
        browser.close()


def _opened(browser: Any, address: str) -> tuple[float, float]:
    """Milliseconds to the first paint of a page in a new context, which has nothing cached, and until nothing loads."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(address)
    page.get_by_role("heading", level=1).wait_for()
    page.locator(":is(.loading, .is-loading, .is-awaited):visible").first.wait_for(state="detached")
    shown, paint = page.evaluate(f"[performance.now(), {_FIRST_PAINT}]")
    context.close()
    return paint, shown


def _walk(browser: Any, address: str, name: str, repeats: int) -> None:
    """Go through a list by keys, after what it shows first is there."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(address)
    page.locator(".virtual-row a").first.wait_for()
    page.wait_for_timeout(2_000)
    thread = page.context.new_cdp_session(page)
    thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(_WATCH)
    page.locator(".virtual-row a").nth(2).focus()
    ends = cycle(("End", "Home"))
    kinds: dict[str, Callable[[], None]] = {
        "ArrowDown": lambda: page.keyboard.press("ArrowDown"),
        "PageDown": lambda: page.keyboard.press("PageDown"),
        "End, Home": lambda: page.keyboard.press(next(ends)),
    }
    if name == "known":
        kinds["Space"] = lambda: page.keyboard.press("Space")
        kinds["a letter"] = lambda: page.get_by_role("searchbox").press("a")
        kinds["a filter"] = page.locator(".facets input[type=checkbox]").first.click
    for kind, act in kinds.items():
        page.evaluate("window.seen.clear()")
        spent = [_spent(page, thread, act) for _ in range(4 * repeats)]
        page.wait_for_timeout(300)  # the browser tells of interactions later
        seen: Sequence[float] = page.evaluate("[...window.seen.values()]")
        waited = [*seen, *[float(_SEEN)] * (len(spent) - len(seen))]
        print(
            f"{name:<10} {kind:<10} {len(spent)} times: to the next paint median {median(waited):.0f} ms,"
            f" p95 {percentile(waited, 95):.0f}, worst {max(waited):.0f}; of a processor median {median(spent):.1f} ms,"
            f" worst {max(spent):.1f}"
        )
    page.context.close()


def _spent(page: Any, thread: Any, act: Callable[[], None]) -> float:
    """Milliseconds of a processor that the page's main thread spends until what was done is painted, and the list has
    what it then asks for.
    """

    def ticks() -> float:
        metrics = thread.send("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    before = ticks()
    act()
    page.evaluate(_PAINTED)
    page.wait_for_timeout(50)
    return (ticks() - before) * 1_000


if __name__ == "__main__":
    main()
