"""Search, conversations and figures over HTTP; access; start and stop of the server."""

import asyncio
import gzip
import json
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.types import Message

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory_web.app import create_app
from tests.memory.store.disk import Disk
from tests.web.conftest import TURNS, Rest
from tests.web.serving import COMMAND, Served, serving


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something is true, at most 20 seconds."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def refused(home: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """A start that fails."""
    command = [*COMMAND, "--home", str(home), "serve", "--port", "0", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_conversation_is_stored_found_learnt_from_and_erased(rest: Rest) -> None:
    said = rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS}).json()
    assert len(set(said["ids"])) == 3
    (hit,) = rest("POST", "/api/search", json={"query": "who broke the vase?", "limit": 1}).json()["results"]
    assert (hit["id"], hit["speaker"], hit["session"]) == (said["ids"][2], "Ann", "first")
    block = rest("POST", "/api/context", json={"prompt": "What did Mia break?"}).json()
    assert "blue vase" in block["text"]
    assert 0 < block["tokens"] <= 3_000
    assert said["ids"][2] in [each["id"] for each in block["items"]]
    hidden = {"prompt": "What did Mia break?", "session": "first", "include_session": False}
    assert rest("POST", "/api/context", json=hidden).json()["text"] == ""

    learnt = rest("POST", "/api/sessions/first/learn").json()
    assert learnt["sessions"] == ["first"]
    assert rest("GET", "/api/stats").json()["nodes"]["episodic"] == 3
    names = {each["name"] for each in rest("GET", "/api/entities").json()["items"]}
    assert {"Ann", "Mia"} <= names
    assert rest("GET", "/api/entities/ann").json()["name"] == "Ann"
    rest("GET", "/api/entities/Zoe", 404)

    going = rest("DELETE", "/api/sessions/first", params={"dry_run": True}).json()
    assert going["turns"] == 3
    assert rest("DELETE", "/api/sessions/first").json() == going
    assert rest("POST", "/api/search", json={"query": "who broke the vase?"}).json() == {"results": []}
    rest("DELETE", "/api/sessions/first", 404)
    rest("POST", "/api/sessions/never/learn", 404)


def test_a_turn_with_a_key_is_remembered_once(rest: Rest) -> None:
    turns = {"turns": [{**TURNS[0], "key": "m-1"}]}
    first = rest("POST", "/api/sessions/s/turns", 201, json=turns).json()
    assert rest("POST", "/api/sessions/s/turns", 201, json=turns).json() == first
    other = {"turns": [{**turns["turns"][0], "content": "I moved to Rome."}]}
    assert rest("POST", "/api/sessions/s/turns", 409, json=other).json()["error"] == "ArgumentsDisagree"


def test_conversations_and_changes_are_read_page_by_page(rest: Rest) -> None:
    for number in range(3):
        turn = {"role": "user", "content": "good morning", "at": f"2026-03-0{number + 1}T10:00:00Z"}
        rest("POST", f"/api/sessions/day-{number}/turns", 201, json={"turns": [turn]})
    first = rest("GET", "/api/sessions", params={"limit": 2}).json()
    second = rest("GET", "/api/sessions", params={"limit": 2, "cursor": first["next"]}).json()
    assert [each["id"] for each in first["sessions"] + second["sessions"]] == ["day-2", "day-1", "day-0"]
    assert second["next"] is None
    for cursor in ("2", "x.61", "1.6", f"{2**64:x}.61"):
        rest("GET", "/api/sessions", 422, params={"cursor": cursor})
    changes = rest("GET", "/api/changes", params={"limit": 2}).json()["changes"]
    rest_of_them = rest("GET", "/api/changes", params={"after": changes[-1]["seq"]}).json()["changes"]
    assert len(changes + rest_of_them) == 3
    assert rest("GET", "/api/changes", params={"after": rest_of_them[-1]["seq"]}).json() == {"changes": []}


def test_a_growing_conversation_moves_no_other_in_the_list(rest: Rest) -> None:
    def say(session: str, day: int) -> None:
        turn = {"role": "user", "content": "good morning", "at": f"2026-03-0{day}T10:00:00Z"}
        rest("POST", f"/api/sessions/{session}/turns", 201, json={"turns": [turn]})

    for number, session in enumerate("abcd", 1):
        say(session, (number + 1) // 2)  # two on each day
    pages = [rest("GET", "/api/sessions", params={"limit": 1}).json()]
    for moves in ("d", "c"):
        say(moves, 5)
        pages.append(rest("GET", "/api/sessions", params={"limit": 1, "cursor": pages[-1]["next"]}).json())
    assert [each["id"] for page in pages for each in page["sessions"]] == ["c", "a", "b"]
    assert pages[-1]["next"] is None


def test_a_search_is_narrowed_and_may_leave_memories_unstrengthened(rest: Rest) -> None:
    id = rest.create("Ann likes green tea", "preference", subject="Ann")
    asked = {"query": "tea", "types": ["semantic"], "entity": "Ann", "reinforce": False}
    assert [each["id"] for each in rest("POST", "/api/search", json=asked).json()["results"]] == [id]
    assert rest("POST", "/api/search", json={**asked, "types": ["procedural"]}).json()["results"] == []
    assert rest("GET", f"/api/memory/{id}/history").json()["memory"]["access_count"] == 0
    rest("POST", "/api/search", json={**asked, "reinforce": True})
    assert rest("GET", f"/api/memory/{id}/history").json()["memory"]["access_count"] == 1


def test_health_and_metrics_show_no_content(rest: Rest) -> None:
    rest.create("Ann keeps bees", subject="Zebedee")
    rest("GET", "/api/entities/Zebedee")
    assert rest("GET", "/health").json() == {"status": "ok", "read_only": False}
    head = rest.client.head("/health")
    assert (head.status_code, head.content) == (200, b"")
    metrics = rest("GET", "/metrics")
    assert metrics.headers["content-type"].startswith("text/plain")
    assert 'memory_http_requests_total{method="POST",route="/api/memory/",status="201"}' in metrics.text
    assert 'route="/api/entities/{name}"' in metrics.text
    assert "memory_database_bytes" in metrics.text
    assert "Zebedee" not in metrics.text
    assert "bees" not in metrics.text


def test_metrics_forget_types_of_which_nothing_is_left(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as server:
        new = {"content": "Ann keeps bees", "category": "fact"}
        id = server.client.post("/api/memory/", json=new).json()["id"]
        assert 'memory_nodes{type="semantic"} 1.0' in server.client.get("/metrics").text
        server.client.delete(f"/api/memory/{id}")
        assert 'memory_nodes{type="semantic"}' not in server.client.get("/metrics").text


def test_missing_and_impossible_requests_are_explained(rest: Rest) -> None:
    rest("GET", "/api/nothing", 404)
    assert rest("PATCH", "/api/memory/abc", 405).headers["allow"] == "DELETE, GET, POST, PUT"
    assert rest("PATCH", "/api/sessions/abc/learn", 405).headers["allow"] == "POST", "not those of `abc/learn`"
    for path in ("/api/entities/Ann/neighbourhood", "/api/sessions/abc/passed_over"):
        assert rest("DELETE", path, 405).headers["allow"] == "GET", "neither is a name to erase"
    rest("POST", "/api/memory/", 413, content=b" " * (9 * 2**20), headers={"Content-Type": "application/json"})
    blank = rest("POST", "/api/sessions/s/turns", 422, json={"turns": [{"role": "user", "content": " "}]}).json()
    assert blank["fields"] == ["body.turns.0.content: it is blank, or not in the form that it must have"]


def test_operations_have_the_names_of_functions(served: Served) -> None:
    """A generated client has functions of these names."""
    paths = served.client.get("/openapi.json").json()["paths"]
    names = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert paths["/api/memory/"]["post"]["operationId"] == "create_memory"
    assert paths["/api/sessions/{session}"]["delete"]["operationId"] == "erase_session"
    assert len(set(names)) == len(names)


def test_a_generated_client_can_send_the_tags_the_token_and_every_time_zone(served: Served) -> None:
    document = served.client.get("/openapi.json").json()
    one = document["paths"]["/api/memory/{id}"]
    for method, header in (("get", "if-none-match"), ("put", "if-match"), ("delete", "if-match")):
        assert header in [each["name"] for each in one[method]["parameters"]]
    assert document["security"] == [{}, {"token": []}], "here the token is not needed"
    zone = next(each for each in document["paths"]["/api/days"]["get"]["parameters"] if each["name"] == "zone")
    assert "enum" not in str(zone), "the zones that one machine knows"


def test_a_monitor_that_names_no_host_sees_the_health_and_nothing_else(served: Served) -> None:
    """HAProxy's checks are of HTTP/1.0."""

    def status(path: str) -> str:
        with socket.create_connection(("127.0.0.1", int(served.url.rpartition(":")[2])), timeout=10) as plain:
            plain.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
            return plain.recv(100).split()[1].decode()

    assert (status("/health"), status("/api/memory/")) == ("200", "421")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits a running process")
def test_a_server_that_may_open_no_more_files_waits_for_connections_to_end(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as server:
        held, address = [], ("127.0.0.1", int(server.url.rpartition(":")[2]))
        most = len([*Path(f"/proc/{server.process.pid}/fd").iterdir()]) + 5
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (most, most))
        for _ in range(20):
            held.append(socket.create_connection(address, timeout=10))
        time.sleep(1.5)
        for each in held:
            each.close()
        assert server.client.get("/health").status_code == 200
        code, log = server.stop()
    assert code == 0
    assert log.count("out of system resource") < 5


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how much a process holds")
def test_a_server_does_not_keep_its_garbage(served: Served) -> None:
    def held() -> int:
        """Megabytes."""
        status = Path(f"/proc/{served.process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) >> 10

    served.client.get("/api/memory/")
    before = held()
    for _ in range(400):
        assert served.client.get("/api/memory/").status_code == 200
    assert held() - before < 40


def test_other_origins_and_host_names_are_refused(served: Served) -> None:
    foreign = served.client.get("/api/memory/", headers={"Origin": "https://evil.example"})
    assert (foreign.status_code, foreign.json()["error"]) == (403, "Forbidden")
    assert "access-control-allow-origin" not in foreign.headers
    assert served.client.get("/api/memory/", headers={"Host": "evil.example"}).status_code == 421
    assert served.client.get("/api/memory/", headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_an_access_check_admits_named_pages(tmp_path: Path) -> None:
    page = {"Origin": "https://notes.example"}
    options = ("--require-token", "--allow-origin", "https://notes.example")
    with serving(tmp_path / "home", *options) as server:
        client, right = server.client, {"Authorization": f"Bearer {server.token}"}
        document = client.get("/openapi.json", headers=right).json()
        assert document["security"] == [{"token": []}]
        refused = client.get("/api/memory/")
        assert (refused.status_code, refused.headers["www-authenticate"][:6]) == (401, "Bearer")
        assert client.get("/health").status_code == 200
        asked = {**page, "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"}
        assert client.options("/api/memory/abc", headers=asked).headers["access-control-allow-origin"] == page["Origin"]
        answered = client.get("/api/memory/", headers={**page, **right})
        assert (answered.status_code, answered.headers["access-control-allow-origin"]) == (200, page["Origin"])


def test_acknowledged_writes_and_keys_survive_a_restart(tmp_path: Path) -> None:
    new, headers = {"content": "Ann has two cats", "category": "fact"}, {"Idempotency-Key": "order-1"}
    with serving(tmp_path / "home", "--user", "ann", "--project", "pets") as server:
        first = server.client.post("/api/memory/", json=new, headers=headers).json()
        assert oct(server.home.stat().st_mode & 0o777) == "0o700"
        assert oct((server.home / "token").stat().st_mode & 0o777) == "0o600"
        token = server.token
        code, log = server.stop()
        assert (code, log.split()[-1]) == (0, "stopped")
    with serving(tmp_path / "home") as server:
        assert server.token == token
        whose = {"user": "ann", "project": "pets"}
        again = server.client.post("/api/memory/", params=whose, json=new, headers=headers)
        assert again.json() == first
        assert server.client.get("/api/memory/").json()["total"] == 0


def test_a_server_goes_on_with_a_new_memory_where_its_home_was_deleted(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as server:
        rest = Rest(server.client)
        rest.create("Ann keeps bees.")
        shutil.rmtree(server.home)
        until = time.monotonic() + 20
        while (answer := server.client.get("/api/memory/")).status_code == 503 and time.monotonic() < until:
            time.sleep(0.1)
        assert answer.json()["total"] == 0
        rest.create("The lamp is in the cellar.")
        assert oct((server.home / "token").stat().st_mode & 0o777) == "0o600"
        assert server.stop()[0] == 0


def test_a_used_port_is_named_and_a_read_only_server_needs_an_existing_memory(served: Served, tmp_path: Path) -> None:
    port = httpx.URL(served.url).port
    ran = refused(tmp_path, "--port", str(port))
    assert ran.returncode == 1
    assert f"port {port}: address already in use" in ran.stderr
    assert "Traceback" not in ran.stderr
    (tmp_path / "nothing").mkdir()
    ran = refused(tmp_path / "nothing", "--read-only")
    assert ran.returncode == 1
    assert "there is nothing to read" in ran.stderr
    assert not (tmp_path / "nothing" / "memory.db").exists()


def test_a_read_only_server_refuses_every_change(tmp_path: Path) -> None:
    """It says so, answers what is asked, and writes nothing."""
    home = tmp_path / "home"
    with serving(home) as server:
        writer = Rest(server.client)
        id = writer.create("Ann keeps bees.")
        with serving(home, "--read-only") as reading:
            rest = Rest(reading.client)
            rest.user = writer.user
            assert [each("GET", "/health").json()["read_only"] for each in (writer, rest)] == [False, True]
            before = writer("GET", "/api/changes", params={"limit": 200}).text
            (hit,) = rest("POST", "/api/search", json={"query": "who keeps bees?"}).json()["results"]
            assert hit["id"] == id
            assert "bees" in rest("POST", "/api/context", json={"prompt": "Who keeps bees?"}).json()["text"]
            for method, path, body in (
                ("POST", "/api/memory/", {"content": "The lamp is in the cellar.", "category": "fact"}),
                ("PUT", f"/api/memory/{id}", {"content": "Ann keeps hens."}),
                ("PUT", f"/api/memory/{id}/pin", None),
                ("POST", f"/api/memory/{id}/confirm", None),
                ("DELETE", f"/api/memory/{id}", None),
                ("POST", "/api/sessions/first/turns", {"turns": TURNS}),
                ("DELETE", "/api/sessions/first", None),
                ("POST", "/api/undo", {"night": True}),
            ):
                problem = rest(method, path, 403, **({} if body is None else {"json": body})).json()
                assert problem["error"] == "DatabaseReadOnly", path
            assert writer("GET", "/api/changes", params={"limit": 200}).text == before
            writer.create("The lamp is in the cellar.")
            assert len(rest("GET", "/api/memory/").json()["memories"]) == 2


def test_a_home_without_room_for_a_token_is_served_without_one_and_a_wrong_token_refused(tmp_path: Path) -> None:
    """Whoever needs the token is told why there is none."""
    (tmp_path / "token").mkdir()
    with serving(tmp_path) as server:
        assert server.client.get("/health").json()["status"] == "ok"
        Rest(server.client).create("Ann keeps bees.")
    ran = refused(tmp_path, "--require-token")
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert f"{tmp_path / 'token'} cannot be written (Is a directory)" in ran.stderr
    (tmp_path / "token").rmdir()
    (tmp_path / "token").write_text("short")
    ran = refused(tmp_path)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "it holds no token of 16 or more letters" in ran.stderr


def test_an_empty_address_does_not_mean_every_address(tmp_path: Path) -> None:
    """As of a variable that is not set."""
    ran = refused(tmp_path, "--host", "")
    assert (ran.returncode, "'--host': it is empty; name an address" in ran.stderr) == (2, True)


def test_a_wrong_request_is_told_what_fits(rest: Rest) -> None:
    """A parameter that no operation has is refused: a misspelt `dry_run` would not keep it from erasing."""
    rest("POST", "/api/sessions/kept/turns", 201, json={"turns": TURNS})
    detail = rest("DELETE", "/api/sessions/kept", 422, params={"dryrun": "true"}).json()["detail"]
    assert detail == "There is no parameter `dryrun` here; there are all_projects, dry_run, project, user."
    assert rest("GET", "/api/sessions/kept/turns").json()["total"] == 3
    detail = rest("POST", "/api/memory/", 422, json={"category": "fact"}).json()["detail"]
    assert detail == "The request does not fit: body.content: Field required. What fits is in /openapi.json."
    for sent, told in ({"data": {"content": "x"}}, "Content-Type: application/json"), ({"json": []}, "no JSON object"):
        assert told in rest("POST", "/api/memory/", 422, **sent).json()["detail"]
    packed = {"content": gzip.compress(b"{}"), "headers": {"Content-Type": "application/json"}}
    assert "not compressed" in rest("POST", "/api/memory/", 400, **packed).json()["detail"]
    broken = {"content": b'{"content": x}', "headers": {"Content-Type": "application/json"}}
    assert "it is no JSON" in rest("POST", "/api/memory/", 422, **broken).json()["detail"]
    assert rest("GET", "/api/search", 405).json()["detail"] == "This path takes POST, not GET."


def test_a_memory_on_a_full_disk_is_served_for_reading_until_there_is_space(disk: Disk) -> None:
    home, new = disk.folder / "home", {"content": "Ann lives in Rome.", "category": "fact"}
    disk.python("sandbox.cli", "--home", str(home), "remember", "Ann likes tea.")
    disk.full.touch()
    with serving(home, env=disk.environment) as server:
        assert server.client.get("/health").json()["read_only"] is True
        [found] = server.client.post("/api/search", json={"query": "tea"}).json()["results"]
        assert found["content"] == "Ann likes tea."
        assert server.client.post("/api/memory/", json=new).status_code == 403
        disk.full.unlink()
        wait_for(lambda: server.client.get("/health").json()["read_only"] is False)
        assert server.client.post("/api/memory/", json=new).status_code == 201
        code, log = server.stop()
    assert code == 0
    assert "Traceback" not in log


def test_a_disk_of_simple_files_holds_a_memory_and_its_token(disk: Disk) -> None:
    """exFAT, as on a USB stick, knows no second name of a file."""
    environment = {**disk.environment, "DISK_PLAIN": "1"}
    with serving(disk.folder / "home", "--require-token", env=environment) as server:
        assert server.client.get("/api/stats").status_code == 401
        right = {"Authorization": f"Bearer {server.token}"}
        assert server.client.get("/api/stats", headers=right).status_code == 200


def test_a_server_without_a_memory_does_not_start_on_a_full_disk(disk: Disk) -> None:
    disk.full.touch()
    done = disk.python("sandbox.cli", "--home", str(disk.folder / "home"), "serve", "--port", "0")
    assert done.returncode == 1
    assert "is full" in done.stderr


def test_an_export_is_made_on_a_full_disk_and_needs_room_for_itself(disk: Disk, tmp_path: Path) -> None:
    temporary = disk.folder / "tmp"
    for on_it, status in ((tmp_path / "elsewhere", 200), (temporary, 507)):
        on_it.mkdir()
        with serving(disk.folder / "home", env={**disk.environment, "TMPDIR": str(on_it)}) as server:
            server.client.post("/api/sessions/s/turns", json={"turns": [{"role": "user", "content": "word " * 9999}]})
            disk.full.touch()
            assert server.client.get("/api/export").status_code == status
            disk.full.unlink()
            wait_for(lambda: not list(on_it.iterdir()))  # noqa: B023
    with serving(disk.folder / "home", env={**disk.environment, "TMPDIR": str(temporary)}) as server:
        server.client.get("/api/export")
        wait_for(lambda: not list(temporary.iterdir()))
        temporary.rmdir()
        assert "set TMPDIR" in server.client.get("/api/export").json()["detail"]


def test_a_server_that_stops_during_a_download_logs_no_traceback(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as server:
        turns = [{"role": "user", "content": f"{number} " + "word " * 50_000} for number in range(30)]
        server.client.post("/api/sessions/s/turns", json={"turns": turns}).raise_for_status()
        with server.client.stream("GET", "/api/export") as reading:
            assert reading.status_code == 200
            code, log = server.stop()
    assert code == 0
    assert "Traceback" not in log


def test_a_person_and_a_user_are_erased(rest: Rest) -> None:
    """Ben's memories stay."""
    ben = {"user": f"ben of {rest.user}"}
    said = [{"role": "user", "content": text} for text in ("Tom Berg owes me 20 euros.", "I keep bees.")]
    for params in ({}, ben):
        rest("POST", "/api/sessions/s/turns", 201, json={"turns": said}, params=params)
        rest(
            "POST", "/api/memory/", 201, json={"content": "Tom Berg is a carpenter", "category": "fact"}, params=params
        )
    going = rest("DELETE", "/api/entities/Tom%20Berg", params={"dry_run": True}).json()
    assert (going["turns"], going["learnt"]) == (1, 1)
    assert rest("DELETE", "/api/entities/Tom%20Berg").json() == going
    rest("DELETE", "/api/entities/Tom%20Berg", 404)
    rest("POST", "/api/sessions/t/turns", 201, json={"turns": said})
    going = rest("DELETE", "/api/user", params={"dry_run": True}).json()
    assert going["turns"] == 3
    rest("DELETE", "/api/user", 422, params={"project": "site"})
    assert rest("DELETE", "/api/user").json() == going
    assert rest("DELETE", "/api/user").json()["turns"] == 0
    assert rest("GET", "/api/stats").json()["nodes"] == {}
    assert rest("GET", "/api/stats", params=ben).json()["nodes"] == {"episodic": 2, "semantic": 1}
    nobody = rest.client.delete("/api/user")
    assert nobody.status_code == 422
    assert "query.user: Field required" in nobody.json()["detail"]


def test_a_memory_is_exported(rest: Rest, tmp_path: Path) -> None:
    """JSON Lines restore the whole memory of one user; where there are several, a page holds those of one."""
    rest.create("Ann lives in Porto.")
    page = rest("GET", "/api/export", params={"format": "markdown"})
    assert page.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "Ann lives in Porto." in page.text
    rest("POST", "/api/sessions/s/turns", 201, json={"turns": TURNS}, params={"user": "another"})
    assert rest("GET", "/api/export", 403).json()["error"] == "ExportNotAllowed"
    with serving(tmp_path / "home") as server:
        alone = Rest(server.client)
        alone("POST", "/api/sessions/s/turns", 201, json={"turns": TURNS})
        lines = alone("GET", "/api/export")
        assert lines.headers["content-type"] == "application/jsonl"
        assert lines.headers["content-disposition"] == 'attachment; filename="memory.jsonl"'
        part = alone("GET", "/api/export", headers={"Range": "bytes=100-"})  # of another export than the beginning
        assert part.headers["accept-ranges"] == "none"
        assert len(part.content) >= len(lines.content)
        server.stop()
    (tmp_path / "memory.jsonl").write_bytes(lines.content)
    command = (*COMMAND, "--home", str(tmp_path / "other"), "--json", "import", str(tmp_path / "memory.jsonl"))
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout)["files"][0]["new"] == 3


async def test_an_export_that_is_cut_off_leaves_no_file(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is when a server stops while somebody still reads."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    app, reads = create_app(memory, "t" * 20), asyncio.Event()

    def files() -> list[Path]:
        return list(tmp_path.glob("memory-export-*/*"))

    async def stuck(message: Message) -> None:
        if message["type"] == "http.response.body":
            reads.set()
            await asyncio.sleep(60)

    transport = httpx.ASGITransport(lambda scope, receive, _: app(scope, receive, stuck))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        reading = asyncio.create_task(client.get("/api/export"))
        await reads.wait()
        assert files()
        reading.cancel()
        await asyncio.wait([reading])
        assert not files()
