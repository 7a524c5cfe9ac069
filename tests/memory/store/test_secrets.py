"""The file and the embedder never get a secret; a statement with one is refused."""

import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.errors import SecretRefused
from sandbox.extensions.memory.memory import DATABASE
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
