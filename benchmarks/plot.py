"""How cost grows with the number of memories, drawn: ``python -m benchmarks.plot RESULT.json... > growth.svg``.

Takes what ``--json`` printed, of one size or several in each file; both axes are logarithmic.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 760, 420, 60, 30, 250, 45
_COLOURS = ("#0b6e99", "#c4541b", "#7a7a7a", "#b0b0b0")

Series = dict[int, float]
"""Milliseconds by the number of memories."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where decades of memories and milliseconds lie on the picture."""

    nodes: tuple[int, int]
    milliseconds: tuple[int, int]

    def x(self, nodes: float) -> float:
        """From the left."""
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * _share(nodes, self.nodes)

    def y(self, milliseconds: float) -> float:
        """From the top."""
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * _share(milliseconds, self.milliseconds)


def series(results: Sequence[Mapping[str, Any]]) -> dict[str, Series]:
    """The lines of the picture: a context and the two references together."""
    lines: dict[str, Series] = {}
    figures = [figure for result in results for part in result["parts"].values() for figure in part]
    for percent in (50, 95):
        for figure in figures:
            if figure["name"] == f"context p{percent}":
                lines.setdefault(f"context, p{percent}", {})[figure["nodes"]] = figure["value"]
            elif figure["name"] == f"context p{percent} over the references" and figure["detail"]:
                cost = figure["detail"]["vec0_ms"] + figure["detail"]["fts5_ms"]
                lines.setdefault(f"vec0 and FTS5 together, p{percent}", {})[figure["nodes"]] = cost
    return lines


def svg(lines: Mapping[str, Series]) -> str:
    """The picture. Raises ``ValueError`` where there is nothing to draw."""
    if not lines:
        raise ValueError("no figures of `scale` or `context` in these results")
    frame = Frame(
        _decades([nodes for line in lines.values() for nodes in line]),
        _decades([value for line in lines.values() for value in line.values()]),
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif"'
    parts = [f'{head} font-size="13">', f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>', *_grid(frame)]
    for place, (name, line) in enumerate(sorted(lines.items())):
        parts += _drawn(frame, name, line, _COLOURS[place % len(_COLOURS)], _TOP + 20 * (place + 1))
    return "\n".join([*parts, "</svg>", ""])


def _grid(frame: Frame) -> Iterator[str]:
    left, right, top, bottom = _LEFT, _WIDTH - _RIGHT, _TOP, _HEIGHT - _BOTTOM
    for nodes in _marks(frame.nodes):
        x = frame.x(nodes)
        yield f'<path d="M{x:.1f} {top}V{bottom}" stroke="#e4e4e4"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{nodes:,.0f}</text>'
    for milliseconds in _marks(frame.milliseconds):
        y = frame.y(milliseconds)
        yield f'<path d="M{left} {y:.1f}H{right}" stroke="#e4e4e4"/>'
        yield f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{milliseconds:g}</text>'
    yield f'<text x="{(left + right) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">memories</text>'
    yield f'<text x="{left}" y="{top - 10}" text-anchor="middle">ms</text>'


def _drawn(frame: Frame, name: str, line: Series, colour: str, legend: float) -> Iterator[str]:
    points = [(frame.x(nodes), frame.y(value)) for nodes, value in sorted(line.items())]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points)
    x = _WIDTH - _RIGHT + 20
    yield f'<path d="M{x} {legend}h20" stroke="{colour}" stroke-width="2"/>'
    yield f'<text x="{x + 28}" y="{legend + 4}">{name}</text>'


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around the values, at least one decade apart."""
    first = floor(log10(min(values)))
    return first, max(ceil(log10(max(values))), first + 1)


def _marks(decades: tuple[int, int]) -> list[float]:
    return [10.0**power for power in range(decades[0], decades[1] + 1)]


def _share(value: float, decades: tuple[int, int]) -> float:
    return (log10(value) - decades[0]) / (decades[1] - decades[0])


if __name__ == "__main__":
    print(svg(series([json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]])), end="")
