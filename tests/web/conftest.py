"""One server for every test of a module; each test is another user."""

from collections.abc import Iterator
from itertools import count

import httpx
import pytest

from tests.memory.store.conftest import disk, disk_library
from tests.web.serving import Served, serving

__all__ = ["TURNS", "Rest", "disk", "disk_library", "rest", "served"]

_numbers = count()

TURNS = [
    {"role": "user", "speaker": "Ann", "content": "I moved to Berlin for the bakery.", "at": "2026-03-02T10:00:00Z"},
    {"role": "assistant", "content": "Congratulations!", "at": "2026-03-02T10:00:05Z"},
    {"role": "user", "speaker": "Ann", "content": "My cat Mia broke the blue vase.", "at": "2026-03-03T10:01:00Z"},
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("web") / "home", "--user", "ann") as server:
        yield server


class Rest:
    """The requests of one user."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.user = f"user-{next(_numbers)}"

    def __call__(self, method: str, path: str, status: int = 200, **given: object) -> httpx.Response:
        """The answer, which must have the expected status."""
        parameters = {"user": self.user, **given.pop("params", {})}  # type: ignore[dict-item]
        answer = self.client.request(method, path, params=parameters, **given)  # type: ignore[arg-type]
        assert answer.status_code == status, answer.text
        if status >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            problem = answer.json()
            assert problem["status"] == status
            assert problem["detail"]
        return answer

    def create(self, content: str, category: str = "fact", **more: object) -> str:
        body = {"content": content, "category": category, **more}
        id: str = self("POST", "/api/memory/", 201, json=body).json()["id"]
        return id


@pytest.fixture
def rest(served: Served) -> Rest:
    return Rest(served.client)
