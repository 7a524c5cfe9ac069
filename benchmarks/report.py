"""Figures beside their floors, as a table for people and JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.floors import Floor


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. ``value`` is None where it could not be had here, and ``note`` says why."""

    name: str
    value: float | None
    unit: str = ""
    floor: Floor | None = None
    nodes: int | None = None
    note: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool | None:
        """Whether it is as good as its floor; None where there is no floor or no value."""
        return None if self.floor is None else self.floor.reaches(self.value, self.floor.limit)

    @property
    def is_reached(self) -> bool | None:
        """Whether it is as good as its goal; None where there is no goal or no value."""
        return None if self.floor is None else self.floor.reaches(self.value, self.floor.goal)

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return {**asdict(self), "holds": self.holds, "is_reached": self.is_reached}


@dataclass(frozen=True, slots=True)
class Problem:
    """A part that did not run, and why."""

    part: str
    problem: str


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of each part that ran, the parts that failed, those whose data are not there, and the conditions."""

    conditions: Mapping[str, Any]
    parts: Mapping[str, Sequence[Figure]]
    problems: Sequence[Problem] = ()
    left_out: Sequence[Problem] = ()

    def as_json(self) -> str:
        """Everything."""
        parts = {name: [figure.plain() for figure in figures] for name, figures in self.parts.items()}
        others = {"problems": self.problems, "left_out": self.left_out}
        named = {key: [asdict(problem) for problem in problems] for key, problems in others.items()}
        return json.dumps({**self.conditions, "parts": parts, **named}, indent=1, ensure_ascii=False)

    def show(self, console: Console) -> None:
        """The figures, and in a line what they were taken on."""
        table = Table("figure", "measured", "floor", "goal", "", "note")
        table.columns[0].no_wrap = True
        for column in table.columns[1:4]:
            column.no_wrap, column.justify = True, "right"
        for part, figures in self.parts.items():
            table.add_section()
            for figure in figures:
                name = f"{part}: {figure.name}" + (f", {figure.nodes:,} nodes" if figure.nodes else "")
                marks = (figure.floor.limit, figure.floor.goal) if figure.floor else (None, None)
                floor, goal = ("" if mark is None else _number(mark, figure.unit) for mark in marks)
                table.add_row(escape(name), _value(figure), floor, goal, _verdict(figure), escape(figure.note))
        console.print(table)
        for problem in self.problems:
            console.print(f"[red]{problem.part} failed:[/] {escape(problem.problem)}")
        for problem in self.left_out:
            console.print(f"{problem.part} left out: {escape(problem.problem)}")
        console.print(escape(_caption(self.conditions)), style="dim")


def _value(figure: Figure) -> str:
    return "not available" if figure.value is None else _number(figure.value, figure.unit)


def _verdict(figure: Figure) -> str:
    if figure.is_reached:
        return "[green]goal[/]"
    return {None: "", True: "pass", False: "[red]miss[/]"}[figure.holds]


def _number(value: float, unit: str) -> str:
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2 if unit else 3
    return f"{value:,.{digits}f} {unit}".strip()


def _caption(conditions: Mapping[str, Any]) -> str:
    machine, versions = conditions["machine"], conditions["versions"]
    memory = machine["memory_bytes"] / 2**30
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {memory:.0f} GiB, {machine['os']}, {machine['file_system']}, "
        f"load {machine['load'][0]} before and {machine['load_after'][0]} after; Python {versions['python']}, "
        f"SQLite {versions['sqlite']} by {versions['sqlite_driver']}, numpy {versions['numpy']}, "
        f"wordllama {versions['wordllama']}, code {versions['code']}; seed {conditions['seed']}, "
        f"medians of {conditions['options']['repeats']}"
    )
