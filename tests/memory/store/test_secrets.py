"""A secret that is said is nowhere in the file, nor in what is embedded; a statement with one is refused."""

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
    """Not in the database or its write-ahead log, while open and once closed, not in what is embedded or logged."""
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


@pytest.mark.parametrize(("kind", "said", "secret"), SECRETS)
async def test_a_secret_is_refused_by_kind_and_never_repeated(
    memory: Memory, tmp_path: Path, kind: str, said: str, secret: str
) -> None:
    """As a statement, a subject, a tag or a correction; nothing is stored, in the database or its log."""
    known = await memory.remember("Ann lives in Berlin.")
    attempts: list[Callable[[], Awaitable[object]]] = [
        lambda: memory.remember(said),
        lambda: memory.remember("Ann has a cat.", subject=said),
        lambda: memory.remember("Ann has a cat.", tags=["home", said]),
        lambda: memory.correct(known, said),
    ]
    for attempt in attempts:
        with pytest.raises(SecretRefused, match=kind) as refusal:
            await attempt()
        assert secret not in str(refusal.value)
        assert secret not in str(refusal.value.details)
    assert [hit.content for hit in await memory.search("")] == ["Ann lives in Berlin."]
    assert secret.encode() not in (tmp_path / "memory" / f"{DATABASE}-wal").read_bytes()
