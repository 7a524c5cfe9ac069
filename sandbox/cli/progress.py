"""Progress bars on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def bars() -> Iterator[Progress]:
    """Bars on stderr, which are removed at the end; none if stderr is no terminal."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        yield progress


@contextmanager
def working(what: str) -> Iterator[None]:
    """A bar for work whose length is not known."""
    with bars() as progress:
        progress.add_task(what, total=None)
        yield
