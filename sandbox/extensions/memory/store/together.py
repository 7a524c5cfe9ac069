"""Many rows by one INSERT: pure.

Each statement lets go of the interpreter, and makes FTS5 write out what it was told. To bind a value takes as long as
to store it, and ten times as long where it is NULL: what the rows have in common is bound once, and NULL is written.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from operator import is_
from typing import Any

_ROWS = 512  # of one statement; SQLite takes 32,766 values

Row = Sequence[Any]


class _Kind(IntEnum):
    """What a column of the rows of one statement holds."""

    NULL = 0
    SHARED = 1  # one value, the same in all rows
    OWN = 2  # each row its own


def statements(sql: str, rows: Iterable[Row]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """An ``INSERT ... (columns) VALUES (?, ...) ...`` of one row as statements for all rows, in order, with their
    parameters.
    """
    remaining = iter(rows)
    while chunk := list(itertools.islice(remaining, _ROWS)):
        columns = list(zip(*chunk, strict=True))
        kinds = tuple(map(_kind, columns))
        shared = [column[0] for column, kind in zip(columns, kinds, strict=True) if kind is _Kind.SHARED]
        own = [column for column, kind in zip(columns, kinds, strict=True) if kind is _Kind.OWN]
        values = itertools.chain(shared, itertools.chain.from_iterable(zip(*own, strict=True)))
        yield _statement(sql, kinds, len(chunk)), tuple(values)


def _kind(column: Sequence[Any]) -> _Kind:
    first = column[0]
    if not all(map(is_, column, itertools.repeat(first))):
        return _Kind.OWN
    return _Kind.NULL if first is None else _Kind.SHARED


@lru_cache(maxsize=64)
def _statement(sql: str, kinds: Sequence[_Kind], rows: int) -> str:
    """The statement for so many rows. Its parameters are what is shared, then what is each row's own, row by row:
    those without a number go on from the last with one.
    """
    into, _, rest = sql.partition(" VALUES ")
    head, _, names = into.rstrip(") \n").rpartition("(")
    columns = sorted(zip(kinds, names.split(","), strict=True), key=lambda column: column[0])
    shared = kinds.count(_Kind.SHARED)
    marks = ["NULL"] * kinds.count(_Kind.NULL) + [f"?{number}" for number in range(1, shared + 1)]
    row = ", ".join(marks + ["?"] * kinds.count(_Kind.OWN))
    values = ", ".join([f"({row})"] * rows)
    return f"{head}({', '.join(name for _, name in columns)}) VALUES {values}{rest.partition(')')[2]}"
