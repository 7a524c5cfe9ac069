"""Extract the vectors from an answer of `/v1/embeddings`, and trust none of the answer. Pure."""

import base64
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.support.embedder import Vector, unit


def read_vectors(body: bytes, count: int) -> Vector:
    """Unit vectors of shape ``(count, d)`` in the order of ``index``, from numbers or base64 of little-endian float32.

    Raises:
        ValueError: the answer is wrong; the message quotes nothing of it.
    """
    items = items_in_order(body, "data", count)
    rows = [_numbers(item.get("embedding")) for item in items]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("its vectors have different lengths")
    return unit(np.stack(rows))


def items_in_order(body: bytes, field: str, count: int) -> list[dict[str, Any]]:
    """The objects in a field of an answer, one for each text, in the order of ``index``. Raises ``ValueError``, as
    above.
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    items = answer.get(field) if isinstance(answer, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError(f"it has no list `{field}` of objects")
    if len(items) != count:
        raise ValueError(f"its `{field}` has {len(items)} for {count} texts")
    by_index = {index: item for item in items if isinstance(index := item.get("index"), int)}
    if by_index.keys() != set(range(count)):
        raise ValueError(f"its `index` values are not 0 to {count - 1}")
    return [by_index[index] for index in range(count)]


def _numbers(embedding: object) -> NDArray[np.float32]:
    try:
        row = _decoded(embedding) if isinstance(embedding, str) else _converted(embedding)
    except (ValueError, TypeError, OverflowError):
        raise ValueError("a vector is not a list of numbers") from None
    if row.ndim != 1 or not row.size:
        raise ValueError("a vector is not a list of numbers")
    if not np.isfinite(row).all():
        raise ValueError("a vector has a number that is not finite")
    return row


def _decoded(text: str) -> NDArray[np.float32]:
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4").astype(np.float32)


def _converted(numbers: object) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        return np.array(numbers, np.float64).astype(np.float32)
