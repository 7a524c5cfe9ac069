"""Names and ids are searched for secrets too: a name is masked, an id is refused if masking could make it equal to
another.
"""

import json
from pathlib import Path
from uuid import UUID

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import SecretInId
from sandbox.secrets import mask_name
from tests.memory.store import raw

SECRETS = [
    ("my password: Kitten99x", "Kitten99x"),
    ("ghp_Zq8Xw2Lk5Vn7Rt3Yb6Mc9Ds1Fg4Hj0Kp8QaW", "Zq8Xw2Lk5Vn7Rt3Yb6Mc9Ds1Fg4Hj0Kp8QaW"),
    ("пароль: Котик99x", "Котик99x"),
    ("PIN 48217", "48217"),
]


@pytest.mark.parametrize(("name", "secret"), SECRETS)
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
@pytest.mark.parametrize(("name", "secret"), SECRETS)
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


@pytest.mark.parametrize(("name", "secret"), SECRETS)
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
