"""Insert many rows by one statement. Pure.

Each statement releases the interpreter's lock, and makes FTS5 write its pending data. Binding a value takes as long as
storing it, and ten times as long for NULL. So common values are bound once, and NULL is part of the statement.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import is_
from typing import Any

_ROWS = 512  # rows of one statement; SQLite takes 32,766 values

Row = Sequence[Any]
# Kinds of columns in one statement: NULL, the same value in all rows, a value for each row.
_NULL, _SHARED, _OWN = range(3)


def statements(sql: str, rows: Iterable[Row]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """An ``INSERT ... (columns) VALUES (?, ...) ...`` of one row as statements for all rows, in order, with their
    parameters.
    """
    remaining = iter(rows)
    while chunk := list(itertools.islice(remaining, _ROWS)):
        own = _own(chunk) if len(chunk) > 1 else []
        kinds = [_NULL if value is None else _SHARED for value in chunk[0]]
        for place in own:
            kinds[place] = _OWN
        shared = [value for value, kind in zip(chunk[0], kinds, strict=True) if kind == _SHARED]
        values = [row[place] for row in chunk for place in own]
        yield _statement(sql, tuple(kinds), len(chunk)), (*shared, *values)


def _own(rows: Sequence[Row]) -> list[int]:
    """The indexes of columns in which rows differ."""
    columns = enumerate(zip(*rows, strict=True))
    return [place for place, column in columns if not all(map(is_, column, itertools.repeat(column[0])))]


@lru_cache(maxsize=64)
def _statement(sql: str, kinds: tuple[int, ...], rows: int) -> str:
    """The statement for so many rows. Its parameters are the common values, then those of each row; a parameter without
    a number follows the last one with a number.
    """
    into, _, rest = sql.partition(" VALUES ")
    head, _, names = into.rstrip(") \n").rpartition("(")
    columns = sorted(zip(kinds, names.split(","), strict=True), key=lambda column: column[0])
    shared = kinds.count(_SHARED)
    marks = ["NULL"] * kinds.count(_NULL) + [f"?{number}" for number in range(1, shared + 1)]
    row = ", ".join(marks + ["?"] * kinds.count(_OWN))
    values = ", ".join([f"({row})"] * rows)
    return f"{head}({', '.join(name for _, name in columns)}) VALUES {values}{rest.partition(')')[2]}"
