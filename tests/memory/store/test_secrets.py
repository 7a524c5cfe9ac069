"""The file and the embedder never get a secret: turns and names are masked, statements and ids are refused."""

import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import SecretInId, SecretRefused
from sandbox.extensions.memory.memory import DATABASE
from sandbox.secrets import mask_name
from tests.memory.store import raw

# kind, what was said, and the part of it that may be nowhere
SECRETS = [
    (
        "GitHub token",
        "my token is ghp_Zq8Xw2Lk5Vn7Rt3Yb6Mc9Ds1Fg4Hj0Kp8QaW ok?",
        "Zq8Xw2Lk5Vn7Rt3Yb6Mc9Ds1Fg4Hj0Kp8QaW",
    ),
    ("password", "the wifi password: Tr0ub4dor&Zebra9", "Tr0ub4dor"),
    ("API key", "OPENAI_API_KEY=sk-proj-Wm3Kd8Qz5Lx2Vb7Nc4Ht9Rg6", "Wm3Kd8Qz5Lx2Vb7Nc4Ht9Rg6"),
    ("password", "postgres://ann:Pelikan77Xq@db.example.org/app", "Pelikan77Xq"),
    (
        "private key",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpQIBAAKCAQEAx9Zk3\nWq8Lm2\n-----END RSA PRIVATE KEY-----",
        "MIIEpQIBAAKCAQEAx9Zk3",
    ),
]


@pytest.mark.parametrize(("kind", "said", "secret"), SECRETS)
async def test_an_observed_secret_is_nowhere(
    folder: Path, kind: str, said: str, secret: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither in the database or its write-ahead log, open or closed, nor in embedded text or in logs."""
    caplog.set_level(logging.DEBUG)
    embedder = HashEmbedder()
    async with Memory.open(folder, embedder=embedder) as memory:
        await memory.observe("user", f"Before. {said}", session="s")
        await memory.observe_many([Message("tool", said), Message("assistant", f"{said} After.")])
        await memory.wait_until_embedded()
        hits = await memory.search("before after ok secret")
        assert any(f"[secret: {kind}]" in hit.content for hit in hits)
        assert secret not in str(hits)
        assert secret not in str(await memory.context("what is my secret, before and after?"))
        assert await memory.search(secret, reinforce=False) == [] or secret not in str(await memory.search(secret))
        log = (folder / f"{DATABASE}-wal").read_bytes()
    assert b"[secret: " in log
    assert any("[secret: " in text for text in embedder.seen)
    terms = "".join(row[0] for row in raw.query(folder, "SELECT terms || who FROM nodes"))
    everywhere = [log, *raw.contents(folder).values(), "".join(embedder.seen[:3]).encode(), caplog.text.encode()]
    for place in [*everywhere, terms.encode()]:
        assert secret.encode() not in place
        assert secret.lower().encode() not in place.lower()


async def test_an_answer_to_a_question_for_a_secret_is_masked_on_every_way_in(memory: Memory, tmp_path: Path) -> None:
    """
    assistant: What is the gate code?
    user: 3907
    """
    asked, answer = "What is the gate code?", "3907"
    await memory.observe("assistant", asked, session="a")
    await memory.observe("user", "The gate stood open in 3907.", session="other")
    await memory.observe("user", answer, session="a")
    await memory.observe_many([Message("assistant", asked, "b"), Message("user", answer, "b")])
    lines = [{"role": "assistant", "content": asked}, {"role": "user", "content": answer}]
    file = tmp_path / "said.jsonl"
    file.write_text("".join(f"{json.dumps({**line, 'session': 'c'})}\n" for line in lines))
    assert (await memory.import_file(file)).masked == 1
    said = sorted(hit.content for hit in await memory.search("", limit=20))
    assert said == ["The gate stood open in 3907.", *[asked] * 3, *["[secret: code]"] * 3]


@pytest.mark.parametrize(
    "said",
    [
        "My bank account number is 55779911.",
        "The lockbox on the railing opens with 3907.",
        "My mother's maiden name is Pemberton, that's the security answer.",
        "Номер моей карты 2200 1111 2222 3333.",
        "The wifi password is cinnamon.",
    ],
)
async def test_a_masked_secret_is_not_learnt_as_knowledge(memory: Memory, said: str) -> None:
    await memory.observe("user", said, session="s")
    await memory.consolidate("s")
    assert "[secret: " in (await memory.search("", types=["episodic"]))[0].content
    assert await memory.search("", types=["semantic", "procedural"]) == []


@pytest.mark.parametrize(("kind", "said", "secret"), SECRETS)
async def test_a_secret_is_refused_by_kind_and_never_repeated(
    memory: Memory, tmp_path: Path, kind: str, said: str, secret: str
) -> None:
    """In a statement, a subject, a tag, a context or a correction; neither the database nor its log stores anything."""
    known = await memory.remember("Ann lives in Berlin.")
    attempts: list[Callable[[], Awaitable[object]]] = [
        lambda: memory.remember(said),
        lambda: memory.remember("Ann has a cat.", subject=said),
        lambda: memory.remember("Ann has a cat.", tags=["home", said]),
        lambda: memory.remember("Ann has a cat.", contexts=["home", said]),
        lambda: memory.set_context(said, priority=0.5),
        lambda: memory.set_context("home", description=said),
        lambda: memory.correct(known, said),
    ]
    for attempt in attempts:
        with pytest.raises(SecretRefused, match=kind) as refusal:
            await attempt()
        assert secret not in str(refusal.value)
        assert secret not in str(refusal.value.details)
    assert [hit.content for hit in await memory.search("")] == ["Ann lives in Berlin."]
    assert secret.encode() not in (tmp_path / "memory" / f"{DATABASE}-wal").read_bytes()


IN_NAMES = [
    ("my password: Kitten99x", "Kitten99x"),
    ("ghp_Zq8Xw2Lk5Vn7Rt3Yb6Mc9Ds1Fg4Hj0Kp8QaW", "Zq8Xw2Lk5Vn7Rt3Yb6Mc9Ds1Fg4Hj0Kp8QaW"),
    ("пароль: Котик99x", "Котик99x"),
    ("PIN 48217", "48217"),
]


@pytest.mark.parametrize(("name", "secret"), IN_NAMES)
async def test_a_secret_in_a_name_is_nowhere_and_the_name_goes_on_to_work(
    folder: Path, tmp_path: Path, name: str, secret: str
) -> None:
    file = tmp_path / f"{name}.jsonl"
    file.write_text(json.dumps({"role": "user", "content": "Hello from a file."}))
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I keep bees.", session=name, speaker=name, source=name, key="1")
        await memory.observe("user", "I keep geese.", session=name, speaker=name, source=name, key="2")
        scope = Scope(agent_id=name, actor_id=name, session_id=name)
        await memory.forget(await memory.remember("Ann has a cat.", scope=scope), scope=scope)
        await memory.import_file(file)
        assert "geese" in str(await memory.context("bees and geese?", session=name))
        await memory.end_session(name)
        await memory.consolidate(name)
        assert (await memory.erase(session=name, dry_run=True)).turns == 2
    for place, content in raw.contents(folder).items():
        assert secret.encode() not in content, place
        assert secret.lower().encode() not in content, place


@pytest.mark.parametrize("place", ["{}.jsonl", "{}.md", "{}/all.jsonl"])
@pytest.mark.parametrize(("name", "secret"), IN_NAMES)
async def test_an_export_to_a_path_with_a_secret_is_refused(
    folder: Path, tmp_path: Path, name: str, secret: str, place: str
) -> None:
    """Erasing finds a file by its path, so the path is kept as it is."""
    (tmp_path / name).mkdir()
    file = tmp_path / place.format(name)
    async with Memory.open(folder, embedder=None) as memory:
        await memory.remember("Ann has a cat.")
        with pytest.raises(SecretInId, match="`path`") as refusal:
            await memory.export(file)
        assert secret not in str(refusal.value)
    assert not file.exists()
    assert all(secret.encode() not in content for content in raw.contents(folder).values())


@pytest.mark.parametrize(("name", "secret"), IN_NAMES)
async def test_an_id_with_a_secret_is_refused_by_kind_and_never_repeated(
    memory: Memory, name: str, secret: str
) -> None:
    for attempt in (
        lambda: memory.observe("user", "Hello.", key=name),
        lambda: memory.observe_many([Message("user", "Hello.", key=name)]),
        lambda: memory.remember("Ann has a cat.", key=name),
    ):
        with pytest.raises(SecretInId, match=r"`key`.*secret") as refusal:
            await attempt()
        assert secret not in str(refusal.value)
    with pytest.raises(SecretInId, match="`user_id`"):
        Scope(name)
    with pytest.raises(SecretInId, match="`project_id`"):
        Scope(project_id=name)
    assert await memory.search("") == []


async def test_a_record_whose_key_holds_a_secret_is_left_out_of_an_import(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    records = [{"role": "user", "content": "Hello.", "id": key} for key in ("password: Kitten99x", "a7")]
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    report = await memory.import_file(file)
    assert report.new == 1
    assert "Kitten99x" not in str(report)


@pytest.mark.parametrize(
    "stem", ["wifi-password-Kitten99x", "my_password_is_Kitten99x", "sk-proj-Wm3Kd8Qz5Lx2Vb7Nc4Ht9Rg6"]
)
async def test_a_name_of_a_file_has_signs_for_its_spaces(memory: Memory, tmp_path: Path, stem: str) -> None:
    file = tmp_path / f"{stem}.jsonl"
    file.write_text(json.dumps({"role": "user", "content": "Hello."}))
    await memory.import_file(file)
    [hit] = await memory.search("")
    assert hit.session is not None
    assert "[secret: " in hit.session
    assert "Kitten99x" not in hit.session
    assert "Wm3Kd8" not in hit.session


@pytest.mark.parametrize(
    "id",
    [
        str(UUID(int=0x1F0A9B8C7D1F0A9B8C7D)),
        "msg_01XFDUDYJgAACzvnptvVoYEL",
        "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG",
        "<CAJ+Qk8Zx2Lw9Vb7Nc4Ht9Rg6Wm3Kd8Qz5Lx2Vb7Nc4Ht9Rg6@mail.example.com>",
        "wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
        "$Zq8Xw2Lk5Vn7Rt3Yb6Mc9Ds1Fg4Hj0Kp8QaWsdf3Kd:matrix.example.org",
        "auth0|5f7c8ec7c33c6c004bbafe82",
        "account:8844221122",
        "4111111111111111",
        "passport-office/session-key/12",
        "Ann Lee",
        "2026-03-02 07:12 planning of the key handover",
    ],
)
def test_harmless_ids_and_names_are_not_masked(id: str) -> None:
    assert mask_name(id).text == id
