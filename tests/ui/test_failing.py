"""A lost server and a required token: the page says so, and keeps what was typed."""

from pathlib import Path

import httpx
import pytest

from tests.ui.conftest import Look
from tests.web.conftest import Rest
from tests.web.serving import serving

pytestmark = pytest.mark.web


def test_a_lost_server_is_reported_and_typed_text_stays(look: Look, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(home) as server:
        rest = Rest(server.client)
        rest.user = "default"
        id = rest.create("Ann lives in Potsdam", "person", subject="Ann")
        seen = look(f"memory/{id}", url=server.url, allowed=("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE"))
        seen.role("button", "Correct").click()
        field = seen.role("textbox", "What is right?")
        field.fill("Ann lives in Leith")
        port = server.url.rpartition(":")[2]
        server.stop()
        with pytest.raises(httpx.ConnectError):
            server.client.get("/health")
        seen.role("alert").filter(has_text="The server does not answer.").first.wait_for()
        seen.role("button", "Save").click()
        seen.page.get_by_text("That did not work").wait_for()
        assert field.input_value() == "Ann lives in Leith"
    with serving(home, "--port", port):
        seen.role("alert").filter(has_text="The server does not answer.").first.wait_for(state="hidden", timeout=20_000)
        assert field.input_value() == "Ann lives in Leith"
        seen.role("button", "Save").click()
        seen.role("heading", "Ann lives in Leith").wait_for()


def test_the_token_is_asked_for_and_kept_for_the_tab(look: Look, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(home, "--require-token") as server:
        port, token = server.url.rpartition(":")[2], server.token
        seen = look(url=server.url, allowed=("401", "ERR_"))
        seen.role("heading", "This memory asks for its token").wait_for()
        assert seen.faults() == []
        field = seen.page.get_by_label("Token")
        field.fill("not the token at all")
        seen.keys("Enter")
        seen.page.get_by_text("That is not the token of this memory.").wait_for()
        field.fill(token)
        seen.keys("Enter")
        seen.role("heading", "What the assistant is given").wait_for()
        seen.go("health")
        seen.page.get_by_text("Everything is in order.").wait_for()
        seen.page.reload()
        seen.page.get_by_text("Everything is in order.").wait_for()
        assert token not in seen.page.url
        assert not any(token in asked for asked in seen.asked)
        other = look("health", url=server.url, allowed=("401", "ERR_"))
        other.role("heading", "This memory asks for its token").wait_for()
        opened = look("health", url=server.url, token=token, allowed=("401", "ERR_"))
        opened.page.get_by_text("Everything is in order.").wait_for()
        assert token not in opened.page.url
        new = {"content": "Ann lives in Potsdam", "category": "fact"}
        server.client.headers["Authorization"] = f"Bearer {token}"
        id = server.client.post("/api/memory/", json=new).json()["id"]
        opened.go(f"memory/{id}")
        opened.role("button", "Correct").click()
        opened.role("textbox", "What is right?").fill("Ann lives in Leith")
        server.stop()
    (home / "token").write_text("another-token-that-is-long\n", encoding="utf-8")
    with serving(home, "--require-token", "--port", port):
        seen.go("known")
        seen.role("heading", "This memory asks for its token").wait_for(timeout=20_000)
        seen.page.get_by_label("Token").fill("another-token-that-is-long")
        seen.keys("Enter")
        seen.role("heading", "What is known").wait_for()
        opened.role("heading", "This memory asks for its token").wait_for(timeout=20_000)
        opened.page.get_by_label("Token").fill("another-token-that-is-long")
        opened.keys("Enter")
        assert opened.role("textbox", "What is right?").input_value() == "Ann lives in Leith"
        opened.role("button", "Save").click()
        opened.role("heading", "Ann lives in Leith").wait_for()
