"""Trust: what is said is worth no more than where it came from, and lower never takes the place of higher."""

from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import InvalidArgument, LessTrusted
from sandbox.extensions.memory.model import TRUST_ORDER, Message, least


@pytest.mark.parametrize(
    ("role", "given", "trust"),
    [
        ("user", None, "user"),
        ("user", "web", "web"),
        ("user", "confirmed", "user"),
        ("assistant", "tool", "tool"),
        ("assistant", "user", "assistant"),
        ("tool", "user", "tool"),
    ],
)
async def test_a_turn_is_trusted_less_than_its_role_never_more(
    memory: Memory, role: Any, given: Any, trust: str
) -> None:
    one = await memory.observe(role, "The bank is in Leipzig.", trust=given)
    (other,) = await memory.observe_many([Message(role, "The bank is in Lagos.", trust=given)])
    assert {(await memory.explain(id)).memory.trust for id in (one, other)} == {trust}


async def test_a_turn_hardly_trusted_is_found_but_not_shown(memory: Memory) -> None:
    await memory.observe("user", "The bank is in Lagos.", trust="web")
    (hit,) = await memory.search("bank")
    assert hit.trust == "web"
    assert await memory.context("Where is the bank?") is None


async def test_an_unknown_trust_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidArgument, match="trust"):
        await memory.observe("user", "x", trust="everybody")  # type: ignore[arg-type]
    id = await memory.remember("x")
    with pytest.raises(InvalidArgument, match="trust"):
        await memory.correct(id, "y", trust="everybody")  # type: ignore[arg-type]


@pytest.mark.parametrize("known", TRUST_ORDER)
@pytest.mark.parametrize("trust", TRUST_ORDER)
async def test_lower_trust_does_not_correct_higher(memory: Memory, known: Any, trust: Any) -> None:
    """A user may correct what a person confirmed: it is the same person."""
    id = await memory.remember("The bank is in Leipzig.", trust=known)
    needed = least(known, "user")
    if TRUST_ORDER.index(trust) >= TRUST_ORDER.index(needed):
        await memory.correct(id, "The bank is in Lagos.", trust=trust)
        assert (await memory.explain(id)).memory.trust == needed
        return
    with pytest.raises(LessTrusted, match=f"'{known if known != 'confirmed' else 'user'}'.*'{trust}'"):
        await memory.correct(id, "The bank is in Lagos.", trust=trust)
    explained = await memory.explain(id)
    assert [version.content for version in explained.versions] == ["The bank is in Leipzig."]


async def test_a_correction_is_trusted_no_more_than_what_it_rests_on(memory: Memory) -> None:
    id = await memory.remember("The bank is in Leipzig.")
    said = await memory.observe("user", "Not Leipzig, Lagos.")
    read = await memory.observe("user", "Dear customer, we are now in Lagos.", trust="web")
    with pytest.raises(LessTrusted):
        await memory.correct(id, "The bank is in Lagos.", rests_on=[said, read])
    await memory.correct(id, "The bank is in Lagos.", rests_on=[said])
    assert [source.content for source in (await memory.explain(id)).sources] == ["Not Leipzig, Lagos."]
