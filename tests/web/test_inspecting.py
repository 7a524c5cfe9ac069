"""The requests of the inspector over HTTP."""

import json
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import IO
from urllib.parse import quote

import httpx
import pytest

from sandbox.extensions.memory_hooks.log import LOG, note
from tests.web.conftest import TURNS, Rest
from tests.web.serving import COMMAND, Served, serving

ALWAYS = {"since": "2000-01-01T00:00:00Z", "until": "2900-01-01T00:00:00Z"}


def test_a_block_explains_shown_and_omitted_memories(rest: Rest) -> None:
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS})
    wish = rest.create("Answer in short sentences.", "instruction")
    for number in range(20):
        rest.create(f"Ann keeps the vase number {number} in cupboard {number + 100}", on_similar="keep")
    asked = {"prompt": "Who broke the blue vase?", "budget": 150}
    weighed = rest("POST", "/api/context/explain", json=asked).json()
    plain = rest("POST", "/api/context", json={**asked, "reinforce": False}).json()
    assert weighed["block"]["text"] == plain["text"]
    assert weighed["budget"] == 150
    shown = {item["id"] for item in weighed["block"]["items"]}
    found = {hit["id"]: hit for hit in weighed["found"]}
    (broke,) = [id for id in shown if "blue vase" in found.get(id, {}).get("content", "")]
    assert found[broke]["legs"]["fts"] >= 1
    assert {"blue", "vase"} <= set(found[broke]["terms"])
    assert wish in shown
    assert "no_room" in weighed["left_out"].values()
    assert shown.isdisjoint(weighed["left_out"])
    assert rest("GET", f"/api/memory/{broke}/history").json()["memory"]["access_count"] == 0


def test_blocks_lists_and_counts_are_as_of_a_moment_on_each_axis(rest: Rest) -> None:
    said = {"role": "user", "speaker": "Ann", "content": "I live in Berlin.", "at": "2020-03-02T10:00:00Z"}
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": [said]})

    def given(**moments: str) -> bool:
        body = {"prompt": "Where do I live?", **moments}
        return "Berlin" in rest("POST", "/api/context/explain", json=body).json()["block"]["text"]

    early, between = "2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"
    assert given(true_on=between)  # it was told today, and holds since 2020
    assert not given(true_on=early)
    assert not given(known_on=between)
    assert not given(as_of=between)
    assert given(as_of=early, true_on=between, known_on="2990-01-01T00:00:00Z")
    rest.create("Ann keeps bees", "person", subject="Ann")
    assert rest("GET", "/api/memory/", params={"as_of": between}).json()["total"] == 0
    assert rest("GET", "/api/counts", params={"as_of": between}).json()["type"] == {}
    rest("POST", "/api/context/explain", 422, json={"prompt": "Where do I live?", "as_of": "yesterday"})


def test_a_person_confirms_a_memory(rest: Rest) -> None:
    id = rest.create("Ann keeps bees")
    rest("POST", f"/api/memory/{id}/confirm", 204, params={"by_person": True})
    memory = rest("GET", f"/api/memory/{id}/history").json()["memory"]
    assert (memory["trust"], memory["confidence"], memory["fades_at"]) == ("confirmed", 1.0, None)
    rest("POST", "/api/memory/nothing/confirm", 404)


def test_memories_are_counted_and_their_history_is_listed(rest: Rest) -> None:
    rest.create("Ann lives in Potsdam", "person", subject="Ann")
    id = rest.create("Ann likes green tea", "preference", subject="Ann")
    rest.create("Bob likes coffee", "preference", subject="Bob")
    rest("PUT", f"/api/memory/{id}", json={"content": "Ann likes black tea"})
    counts = rest("GET", "/api/counts").json()
    assert counts["category"] == {"preference": 2, "person": 1}
    assert counts["subject"] == {"Ann": 2, "Bob": 1}
    assert counts["type"] == {"semantic": 3}
    narrowed = rest("GET", "/api/counts", params={"category": "preference", "subject": "ann"}).json()
    assert narrowed["subject"] == {"Ann": 1}
    history = rest("GET", "/api/memory/", params={"history": True}).json()
    assert {"Ann likes green tea", "Ann likes black tea"} <= {each["content"] for each in history["memories"]}


def test_a_memory_shows_its_future_confidence(rest: Rest) -> None:
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS})
    (learnt, *_) = rest("POST", "/api/sessions/first/learn").json()["learnt"]
    life = rest("GET", f"/api/memory/{learnt['id']}/confidence_over_time").json()
    sure = [each["confidence"] for each in life]
    assert (sure[0], sure) == (pytest.approx(learnt["confidence"], abs=1e-4), sorted(sure, reverse=True))
    assert (sure[-1], life[-1]["at"]) == (pytest.approx(0.05, abs=0.02), learnt["fades_at"])
    told = rest.create("Ann keeps bees")
    assert [each["confidence"] for each in rest("GET", f"/api/memory/{told}/confidence_over_time").json()] == [1.0]
    rest("GET", "/api/memory/nothing/confidence_over_time", 404)


def test_a_memory_shows_its_claims_and_the_profile_names_it(rest: Rest) -> None:
    id = rest.create("My name is Ann and I live in Potsdam", "person")
    claims = rest("GET", f"/api/memory/{id}/history").json()["claims"]
    assert ("", "home", "Potsdam") in {(each["subject"], each["predicate"], each["value"]) for each in claims}
    assert rest("GET", "/api/profile").json()["city"]["id"] == id


def test_a_conversation_is_listed_with_the_facts_of_each_turn(rest: Rest) -> None:
    ids = rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS}).json()["ids"]
    learnt = rest("POST", "/api/sessions/first/learn").json()["learnt"]
    assert learnt
    turns = rest("GET", "/api/sessions/first/turns").json()
    assert ([each["turn"]["id"] for each in turns["turns"]], turns["total"]) == (ids, 3)
    assert {each["id"] for said in turns["turns"] for each in said["learnt"]} == {each["id"] for each in learnt}
    beyond = rest("GET", "/api/sessions/first/turns", params={"offset": 9}).json()
    assert (beyond["turns"], beyond["total"]) == ([], 3)
    for page in ("turns", "passed_over"):
        rest("GET", f"/api/sessions/unknown/{page}", 404)
    rest("DELETE", "/api/sessions/unknown", 404)
    second = rest("GET", "/api/sessions/first/turns", params={"offset": 1, "limit": 1}).json()
    assert [each["turn"]["id"] for each in second["turns"]] == ids[1:2]
    around = rest("GET", "/api/sessions/first/turns", params={"around": ids[2], "limit": 2}).json()
    assert (around["offset"], [each["turn"]["id"] for each in around["turns"]]) == (1, ids[1:])


@pytest.mark.parametrize("name", ["Jörg", "Rye bread", "AC/DC", "/home/ann/site", "(1) a_b, c?&#%", "x" * 1000])
def test_users_projects_and_conversations_may_have_any_name(rest: Rest, name: str) -> None:
    """A project of a coding agent is a path or an address, and so is the conversation of a note."""
    path, whose = f"/api/sessions/{quote(name, safe='')}", {"user": name, "project": name}
    rest("POST", f"{path}/turns", 201, params=whose, json={"turns": [{"role": "user", "content": "I live in Rome."}]})
    assert len(rest("POST", f"{path}/learn", params=whose).json()["learnt"]) == 1
    (listed,) = rest("GET", "/api/sessions", params=whose).json()["sessions"]
    assert listed["id"] == name
    assert len(rest("GET", f"{path}/turns", params=whose).json()["turns"]) == 1
    assert rest("GET", f"{path}/passed_over", params=whose).json() == []
    rest("POST", "/api/undo", params={**whose, "dry_run": True}, json={"session": name})
    assert rest("DELETE", path, params=whose).json()["turns"] == 1


def test_all_projects_can_be_read_at_once(rest: Rest) -> None:
    for project in ("shop", "blog"):
        turns = {"turns": [{"role": "user", "content": f"Deploys of the {project} go to Fly."}]}
        rest("POST", f"/api/sessions/{project}-1/turns", 201, params={"project": project}, json=turns)
    everywhere = {"all_projects": True}
    assert rest("GET", "/api/sessions").json()["sessions"] == []
    listed = rest("GET", "/api/sessions", params=everywhere).json()["sessions"]
    assert {(each["id"], each["project"]) for each in listed} == {("shop-1", "shop"), ("blog-1", "blog")}
    [said] = rest("GET", "/api/sessions/shop-1/turns", params=everywhere).json()["turns"]
    assert said["turn"]["project"] == "shop"


@pytest.mark.parametrize("name", ["AC/DC", "/home/ann/site", "C# 100%?"])
def test_entities_may_have_any_name(rest: Rest, name: str) -> None:
    path = f"/api/entities/{quote(name, safe='')}"
    for about in (name, "Brian"):
        rest.create(f"{about} is known to everybody", subject=about)
    assert rest("GET", path).json()["name"] == name
    assert rest("GET", f"{path}/neighbourhood").json()["entities"]
    assert rest("POST", "/api/entities/Brian/merge", json={"into": name}).json()["name"] == name
    rest("POST", f"{path}/split")


@pytest.mark.parametrize("name", ["", " ", " ann", "ann\n", "x" * 1001, "\x00"])
def test_a_name_is_one_line_without_spaces_around_it(rest: Rest, name: str) -> None:
    rest("GET", "/api/stats", 422, params={"user": name})


@pytest.mark.parametrize("name", ["first\n", "first\nsecond"])
def test_a_path_names_one_line(rest: Rest, name: str) -> None:
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS})
    path = f"/api/sessions/{quote(name)}"
    rest("GET", f"{path}/turns", 422)
    rest("POST", f"{path}/turns", 422, json={"turns": TURNS})
    rest("POST", f"{path}/learn", 422)
    rest("DELETE", path, 422)
    assert [each["id"] for each in rest("GET", "/api/sessions").json()["sessions"]] == ["first"]


@pytest.mark.parametrize("name", ["Bri\x00an", "Brian\n", "\x85", "x" * 201])
def test_what_somebody_is_called_is_one_line(rest: Rest, name: str) -> None:
    for about in ("Brian", "Angus"):
        rest.create(f"{about} is known to everybody", subject=about)
    rest("POST", "/api/entities/Angus/merge", 422, json={"into": name})
    rest("GET", f"/api/entities/{quote(name)}", 422)


def test_days_are_listed_with_their_changes(rest: Rest) -> None:
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS})
    id = rest.create("Ann keeps bees")
    rest("PUT", f"/api/memory/{id}", json={"content": "Ann keeps two hives of bees"})
    days = {each["day"]: each for each in rest("GET", "/api/days", params={"zone": "UTC"}).json()}
    assert (days["2026-03-02"]["said"], days["2026-03-03"]["said"]) == (2, 1)
    assert sum(each["learnt"] for each in days.values()) == 2
    assert sum(each["retired"] for each in days.values()) == 1
    late = {each["day"] for each in rest("GET", "/api/days", params={"zone": "Pacific/Kiritimati"}).json()}
    assert "2026-03-04" in late
    assert "Earth" not in rest("GET", "/api/days", 422, params={"zone": "Middle/Earth"}).text
    happened = rest("GET", "/api/knowledge_changes", params=ALWAYS).json()
    assert [(each["change"]["event"], each["memory"]["content"]) for each in happened] == [
        ("created", "Ann keeps bees"),
        ("created", "Ann keeps two hives of bees"),
        ("corrected", "Ann keeps bees"),
    ]
    rest("DELETE", f"/api/memory/{id}", 204)
    assert {each["memory"] for each in rest("GET", "/api/knowledge_changes", params=ALWAYS).json()} == {None}
    rest("GET", "/api/knowledge_changes", 422, params={**ALWAYS, "since": "tomorrow"})


def test_people_are_related_merged_and_split(rest: Rest) -> None:
    for said in ("Ann is married to Bob", "Bob works at Initech", "Ann and Zoe play chess", "Robert lives in Leith"):
        rest.create(f"{said}.", "person", on_similar="keep")
    near = rest("GET", "/api/entities/Ann/neighbourhood").json()
    names = {each["id"]: each["name"] for each in near["entities"]}
    joined = {(names[edge["source"]], names[edge["target"]], edge["predicate"]) for edge in near["edges"]}
    assert names[near["centre"]] == "Ann"
    assert ("Ann", "Bob", "spouse") in joined
    assert "Initech" not in names.values()
    far = rest("GET", "/api/entities/Ann/neighbourhood", params={"hops": 2}).json()
    assert "Initech" in {each["name"] for each in far["entities"]}
    few = rest("GET", "/api/entities/Ann/neighbourhood", params={"hops": 3, "limit": 2}).json()
    assert len(few["entities"]) == 2
    merged = rest("POST", "/api/entities/Robert/merge", json={"into": "Bob"}).json()
    assert merged["merged"] == ["Robert"]
    assert rest("GET", "/api/entities/Robert/neighbourhood").json()["centre"] == merged["id"]
    assert rest("POST", "/api/entities/Bob/split").json()["merged"] == []
    rest("POST", "/api/entities/Bob/split", 409)
    rest("POST", "/api/entities/Nobody/merge", 404, json={"into": "Bob"})
    rest("GET", "/api/entities/Nobody/neighbourhood", 404)


def test_the_problems_of_hooks_are_listed(rest: Rest, served: Served) -> None:
    assert rest("GET", "/api/troubles").json() == []
    sound = {each["name"] for each in rest("GET", "/api/checks").json() if each["ok"]}
    assert {"file", "writable", "hooks"} <= sound
    note(served.home, "SessionStart", "it is left alone")
    note(served.home, "UserPromptSubmit", "no answer within 2 seconds")
    with (served.home / LOG).open("a", encoding="utf-8") as log:
        log.write("half a line\n")
    latest, first = rest("GET", "/api/troubles").json()
    assert (latest["where"], latest["problem"]) == ("UserPromptSubmit", "no answer within 2 seconds")
    assert (latest["finding"], latest["values"]) == ("late", {"seconds": "2"})
    assert (first["where"], first["problem"]) == ("SessionStart", "it is left alone")
    assert (first["finding"], first["values"]) == ("unknown_event", {})
    assert abs(datetime.now(UTC) - datetime.fromisoformat(latest["at"])) < timedelta(minutes=5)
    assert rest("GET", "/api/troubles", params={"limit": 1}).json() == [latest]
    (hooks,) = [each for each in rest("GET", "/api/checks").json() if each["name"] == "hooks"]
    assert hooks["ok"] is False
    assert hooks["detail"].startswith("1 failure since yesterday, the last at 2")
    assert (hooks["finding"], hooks["values"]["count"]) == ("troubles", 1)


def test_failed_requests_of_clients_are_listed(rest: Rest) -> None:
    assert rest("GET", "/api/failures").json() == []
    for id in ("first", "second"):
        rest("GET", f"/api/memory/{id}", 404)
    rest("POST", "/api/memory/", 422, json={"content": ["bees"], "no such": 1})
    rest("GET", "/api/nowhere/at/all", 404)
    latest, wrong, unknown = rest("GET", "/api/failures").json()
    assert (latest["operation"], latest["error"]) == ("GET other", "NotFound")
    assert (wrong["operation"], wrong["error"]) == ("POST /api/memory/", "InvalidRequest")
    assert (unknown["operation"], unknown["error"], unknown["count"]) == ("GET /api/memory/{id}", "UnknownMemory", 2)
    assert {each["interface"] for each in (latest, wrong, unknown)} == {"rest"}
    assert abs(datetime.now(UTC) - datetime.fromisoformat(unknown["latest"])) < timedelta(minutes=5)
    assert rest("GET", "/api/failures", params={"limit": 1}).json() == [latest]
    assert rest("GET", "/api/failures", params={"user": "somebody-else"}).json() == []
    shown = json.dumps(rest("GET", "/api/failures").json())
    assert not any(asked in shown for asked in ("first", "second", "bees", "no such", "nowhere"))


def test_a_page_that_shows_a_forgotten_memory_has_not_failed(rest: Rest) -> None:
    id = rest.create("Ann keeps bees")
    rest("DELETE", f"/api/memory/{id}", 204)
    assert rest("GET", f"/api/memory/{id}/history", 404).json()["error"] == "Forgotten"
    assert rest("GET", "/api/failures").json() == []


def test_changes_are_streamed(rest: Rest) -> None:
    rest.create("Ann keeps bees")
    with rest.client.stream("GET", "/api/events", params={"user": rest.user}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["x-accel-buffering"] == "no"
        lines = stream.iter_lines()
        assert next(lines) == "retry: 2000"
        id = rest.create("Ann keeps two cats")
        data = next(line for line in lines if line.startswith("data: "))
        change = json.loads(data.removeprefix("data: "))
        assert (change["event"], change["id"]) == ("created", id)
    with rest.client.stream("GET", "/api/events", params={"user": rest.user, "after": 0}) as stream:
        told = [line for line in islice(stream.iter_lines(), 8) if line.startswith("data: ")]
    assert len(told) == 2


def test_the_page_is_served_without_a_token_and_with_a_content_policy(tmp_path: Path) -> None:
    with serving(tmp_path / "home", "--require-token") as server:
        page = server.client.get("/", follow_redirects=True)
        assert (page.status_code, page.url.path) == (200, "/ui/")
        policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
        assert (policy["default-src"], policy["script-src"], policy["connect-src"]) == ("'none'", "'self'", "'self'")
        assert policy["require-trusted-types-for"] == "'script'"
        again = server.client.get("/ui/", headers={"If-None-Match": page.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert server.client.get("/ui/../token").status_code in (401, 404)
        assert server.client.post("/ui/").status_code == 405
        assert server.client.get("/api/stats").status_code == 401
        with httpx.stream("GET", f"{server.url}/api/events", headers={"Authorization": f"Bearer {server.token}"}) as it:
            assert next(it.iter_lines()) == "retry: 2000"
            stopped = time.monotonic()
            code, log = server.stop()
        assert time.monotonic() - stopped < 4
        assert (code, log.split()[-1]) == (0, "stopped")
        assert "Cancel" not in log


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file into which the browser of commands writes each address that it opens."""
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n', encoding="utf-8")
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    return opened


@contextmanager
def running(*command: str) -> Iterator[IO[str]]:
    """The output of a command that runs until SIGTERM, which it obeys."""
    process = subprocess.Popen([*COMMAND, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout
        process.terminate()
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.communicate()


def test_the_command_opens_the_page_of_a_running_server(served: Served, tmp_path: Path, opened: Path) -> None:
    def ui(home: Path, *options: str) -> str:
        command = [*COMMAND, "--home", str(home), "ui", *options]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
        return ran.stdout.split()[-1]

    with serving(tmp_path / "home", "--require-token") as server:
        assert ui(server.home, "--user", "ann") == f"{server.url}/ui/#user=ann&token={server.token}"
        assert opened.read_text(encoding="utf-8").split() == [f"{server.url}/ui/#user=ann&token={server.token}"]
        assert stat.S_IMODE((server.home / "address").stat().st_mode) == 0o600
        server.stop()
        assert not (server.home / "address").exists()
    assert ui(served.home, "--no-browser") == f"{served.url}/ui/"
    assert len(opened.read_text(encoding="utf-8").split()) == 1


def test_the_command_starts_a_server_if_none_runs(tmp_path: Path) -> None:
    with running("--home", str(tmp_path / "home"), "ui", "--no-browser") as out:
        assert httpx.get(out.readline().split()[-1], trust_env=False).status_code == 200


def test_the_demo_is_shown_in_a_browser_and_leaves_no_files(
    tmp_path: Path, opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with running("demo", "--ui") as out:
        url = next(line.split()[-1] for line in out if "shown at" in line)
        listed = httpx.get(f"{url.partition('/ui/')[0]}/api/memory/", trust_env=False).json()
        assert any("Petrovna" in each["content"] for each in listed["memories"])
    assert opened.read_text(encoding="utf-8").strip() == url
    assert list(tmp_path.glob("memory-demo-*")) == []


def test_the_stored_address_of_a_stopped_server_is_ignored(served: Served, tmp_path: Path) -> None:
    from sandbox.cli.showing import page_of

    (tmp_path / "address").write_text("http://127.0.0.1:1\n", encoding="utf-8")
    assert page_of(tmp_path, None, None) is None
    assert page_of(served.home, None, "site") == f"{served.url}/ui/#project=site"
