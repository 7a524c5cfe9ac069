"""An open page, and what the tests read from it."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from re import Pattern
from typing import Any

import sandbox.extensions.memory_web as web

AXE = Path(web.__file__).parent / "ui" / "node_modules" / "axe-core" / "axe.min.js"

SHOTS = Path(os.environ.get("SCREENSHOTS", "build/screenshots"))

_WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_UNDIMMED = (
    "() => [...document.querySelectorAll('.answer, .columns')].every(at => getComputedStyle(at).opacity === '1')"
)
_NOISE = (
    "GPU stall",
    "GL Driver Message",
    "Failed to load resource",
)  # the browser logs the last one for every 4xx, which tests cause on purpose


@dataclass
class Looking:
    """A page; ``problems`` are its errors, ``asked`` all its requests."""

    page: Any
    url: str
    allowed: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)
        self.page.on("dialog", self._dismiss)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning") and not any(each in message.text for each in (*_NOISE, *self.allowed)):
            self.problems.append(message.text)

    def _dismiss(self, dialog: Any) -> None:
        self.problems.append(f"a dialog of the browser: {dialog.message}")
        dialog.dismiss()

    def go(self, path: str) -> None:
        """Open a page, and wait until it has loaded."""
        self.page.goto(f"{self.url}/ui/#/{path}")
        self.settled()

    def settled(self) -> None:
        """Until nothing is loading."""
        self.page.get_by_role("heading", level=1).wait_for()
        self.page.locator(":is(.loading, .is-loading, .is-awaited):visible").first.wait_for(state="detached")

    def role(self, role: str, name: str | Pattern[str] | None = None) -> Any:
        """The element of that role and name, as a screen reader sees it."""
        return self.page.get_by_role(role, **({} if name is None else {"name": name}))

    def text(self) -> str:
        """All readable text."""
        return str(self.page.inner_text("body"))

    def keys(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def beyond(self) -> int:
        """How many pixels of the page do not fit its width."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    def shoot(self, name: str, **options: Any) -> None:
        """Keep a picture of it."""
        self.page.screenshot(path=SHOTS / f"{name}.png", **options)

    def check(self, name: str) -> None:
        """It has no faults, nothing is cut off, and there is a picture of it."""
        assert self.faults() == [], name
        assert self.beyond <= 0, name
        self.shoot(name)

    def faults(self) -> list[str]:
        """The faults that axe finds once nothing is dimmed, because it is asked for anew, each with its place."""
        self.page.wait_for_function(_UNDIMMED)
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", _WCAG)
        return [
            f"{each['id']}: {each['help']}: {node['target']} {node.get('failureSummary', '')}"
            for each in found["violations"]
            for node in each["nodes"]
        ]
