"""Many rows stored by one statement are the same as rows stored one by one."""

from contextlib import closing
from typing import Any

from hypothesis import given, strategies as st

from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.store.sqlite.snapshot import statements

_TABLE = "CREATE TABLE things (number INTEGER, name TEXT, amount REAL, data BLOB)"
_INSERT = "-- purpose (of this)\nINSERT INTO things (\n    number, name, amount, data\n) VALUES (?, ?, ?, ?)"

Row = tuple[Any, ...]
rows = st.lists(
    st.tuples(
        st.none() | st.integers(-3, 3) | st.booleans(),
        st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=2),
        st.none() | st.just(1.5) | st.integers(0, 1),
        st.none() | st.just(b"\0\1"),
    ),
    max_size=8,
)


def _stored(rows: list[Row], *, together: bool, tail: str = "") -> tuple[list[Row], list[Row]]:
    """The rows of the table, and the returned ids."""
    with closing(driver().module.connect(":memory:")) as connection:
        connection.execute(_TABLE)
        returned = []
        for each in [rows] if together else [[row] for row in rows]:
            for sql, values in statements(_INSERT + tail, each) if together else [(_INSERT + tail, each[0])]:
                returned += connection.execute(sql, values).fetchall()
        return connection.execute("SELECT *, typeof(number), typeof(amount) FROM things").fetchall(), returned


@given(rows, st.sampled_from(["", " ON CONFLICT DO NOTHING RETURNING number, name"]))
def test_rows_are_stored_unchanged_in_order(rows: list[Row], tail: str) -> None:
    """Clauses after the values apply to all of them."""
    assert _stored(rows, together=True, tail=tail) == _stored(rows, together=False, tail=tail)


def test_many_rows_are_stored_by_several_statements() -> None:
    rows: list[Row] = [(number, "same", None, None) for number in range(1200)]
    assert len(list(statements(_INSERT, rows))) == 3
    assert _stored(rows, together=True) == _stored(rows, together=False)
