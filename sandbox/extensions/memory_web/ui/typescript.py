"""Print the types of the REST interface's OpenAPI document in TypeScript, for the page: `make ui`."""

import asyncio
import json
import tempfile
from typing import Any

from starlette.testclient import TestClient

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory_web.app import create_app


async def main() -> None:
    """Print every type. Each of its fields is required, because an answer leaves none out."""
    with tempfile.TemporaryDirectory() as home:
        async with Memory.open(home) as memory:
            document = TestClient(create_app(memory, ""), "http://127.0.0.1").get("/openapi.json").json()
    for name, shape in document["components"]["schemas"].items():
        print(f"export type {name} = {_type(shape)};")


def _type(shape: dict[str, Any]) -> str:
    match shape:
        case {"$ref": place}:
            return str(place).rpartition("/")[2]
        case {"anyOf": kinds}:
            return " | ".join(map(_type, kinds))
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"type": "array", "items": each}:
            return f"({_type(each)})[]"
        case {"type": "object", "properties": fields}:
            return "{ " + " ".join(f"{name}: {_type(each)};" for name, each in fields.items()) + " }"
        case {"type": "object", "additionalProperties": dict(each)}:
            return f"{{ [name: string]: {_type(each)} }}"
        case {"type": "object"}:
            return "{ [name: string]: any }"
        case {"type": "integer"}:
            return "number"
        case {"type": str(kind)}:
            return kind
    return "any"


if __name__ == "__main__":
    asyncio.run(main())
