"""The tools, as an assistant calls them, and what it is told of its memory."""

import re
from datetime import timedelta

import pytest
from pydantic import ValidationError

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tooling import Refusal
from sandbox.extensions.memory.interfaces.tools import tools
from sandbox.testing import NOON, FakeClock
from tests.memory.interfaces.conftest import Assistant

# --- what a model is told of them -------------------------------------------------------------------------------------


def test_every_tool_and_parameter_is_described(assistant: Assistant) -> None:
    """And none takes trust."""
    for tool in tools(assistant.config):
        assert not {"trust", "source", "by_person", "scope"} & tool.parameters.model_fields.keys()
        assert len(tool.description) > 50
        schema = tool.parameters.model_json_schema()
        assert schema["additionalProperties"] is False
        for parameter in schema["properties"].values():
            assert parameter["description"].endswith(".")


def test_the_settings_bound_what_may_be_stored(memory: Memory, clock: FakeClock) -> None:
    config = Config.load({"categories": ["note", "wish"]})
    remember = {tool.name: tool for tool in tools(config)}["remember_fact"].parameters
    category = remember.model_json_schema()["properties"]["category"]
    assert (category["enum"], category["default"]) == (["note", "wish"], "note")
    assert Assistant(memory, clock, config=config).config is config


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_memory", {}),
        ("search_memory", {"query": "x", "limit": 0}),
        ("search_memory", {"query": "x", "limit": 51}),
        ("search_memory", {"query": "x", "type": "fact"}),
        ("search_memory", {"query": "x", "trust": "user"}),
        ("remember_fact", {"content": ""}),
        ("remember_fact", {"content": "x" * 501}),
        ("remember_fact", {"content": "x", "tags": list("abcdef")}),
        ("correct_fact", {"id": "aB3xY9kQ", "content": "x" * 501}),
        ("correct_fact", {"content": "x"}),
        ("weak_facts", {"limit": 51}),
    ],
)
async def test_arguments_out_of_bounds_are_refused(
    assistant: Assistant, tool: str, arguments: dict[str, object]
) -> None:
    with pytest.raises(ValidationError):
        await assistant.call(tool, **arguments)


# --- search_memory ----------------------------------------------------------------------------------------------------


async def test_the_question_is_not_among_the_answers(memory: Memory, assistant: Assistant) -> None:
    """The host has stored the message before the assistant searches for it."""
    assistant.turn("Which violin do I play?", "m-1")
    await memory.observe("user", "Which violin do I play?", session="s1", key="m-1")
    for number in range(3):
        await memory.observe("user", f"My violin number {number} is from Mittenwald.", session="s0")
    found = await assistant.call("search_memory", query="Which violin do I play?", limit=3)
    assert {each["content"][:2] for each in found["memories"]} == {"My"}
    assert found["count"] == 3


async def test_search_narrows_by_entity_and_time(memory: Memory, assistant: Assistant, clock: FakeClock) -> None:
    """Ann and Bob, 40 days ago and yesterday."""
    for days, who in ((40, "Ann"), (40, "Bob"), (1, "Ann"), (1, "Bob")):
        await memory.remember(f"{who} played golf {days} days ago.", subject=who, at=clock() - timedelta(days=days))

    async def found(**narrowed: str) -> set[str]:
        return {
            each["content"][:18]
            for each in (await assistant.call("search_memory", query="golf", **narrowed))["memories"]
        }

    assert await found(entity_name="ann") == {"Ann played golf 40", "Ann played golf 1 "}
    assert await found(after="last_week") == {"Ann played golf 1 ", "Bob played golf 1 "}
    assert await found(before="last_month", entity_name="Bob") == {"Bob played golf 40"}
    assert await found(after="2026-03-01", before="2026-03-02") == {"Ann played golf 1 ", "Bob played golf 1 "}
    assert await found(entity_name="Zoe") == set()


async def test_a_date_begins_in_the_users_time_zone(memory: Memory, assistant: Assistant) -> None:
    """Half past midnight in Berlin is still the day before in UTC."""
    await memory.remember("The alarm went off.", at=NOON.replace(day=1) - timedelta(hours=12, minutes=30))
    assert (await assistant.call("search_memory", query="alarm", after="2026-03-01"))["count"] == 1
    assert (await assistant.call("search_memory", query="alarm", before="2026-03-01"))["count"] == 0


async def test_an_empty_result_gives_advice(assistant: Assistant) -> None:
    found = await assistant.call("search_memory", query="violin")
    assert (found["count"], found["memories"]) == (0, [])
    assert "you do not know" in found["advice"]


# --- remember_fact ----------------------------------------------------------------------------------------------------


async def test_a_fact_rests_on_the_users_message(memory: Memory, assistant: Assistant) -> None:
    """
    user:      Remember that Alec is my boss.
    assistant: remember_fact(...)
    """
    alone = await assistant.call("remember_fact", content="Zoe is the user's boss.")
    assert (await memory.explain(alone["memory"]["id"])).sources == ()
    await memory.forget(alone["memory"]["id"])
    assistant.turn("Remember that Alec is my boss.", "m-1")
    stored = await assistant.call(
        "remember_fact", content="Alec is the user's boss.", category="person", subject="Alec", tags=["work"]
    )
    assert stored["ok"]
    assert (stored["memory"]["subject"], stored["memory"]["tags"]) == ("Alec", ["work"])
    explained = await memory.explain(stored["memory"]["id"])
    assert [source.content for source in explained.sources] == ["Remember that Alec is my boss."]
    await memory.observe("user", "Remember that Alec is my boss.", session="s1", key="m-1")
    assert (await memory.statistics()).nodes == {"episodic": 1, "semantic": 1}


async def test_a_similar_fact_is_refused_with_its_id(memory: Memory, assistant: Assistant) -> None:
    known = (await assistant.call("remember_fact", content="Sarah speaks French.", subject="Sarah"))["memory"]
    with pytest.raises(Refusal) as refused:
        await assistant.call("remember_fact", content="Sarah speaks German.", subject="Sarah")
    assert known["id"] in refused.value.problem
    assert "correct_fact" in refused.value.advice
    other = await assistant.call("remember_fact", content="Sarah speaks German.", subject="Sarah", is_another_fact=True)
    assert other["memory"]["id"] != known["id"]
    assert (await memory.explain(known["id"])).memory.valid_until is None


WEDDING = {"content": "The wedding is on 1 June 2026."}


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("remember_fact", {"content": "Alec is the boss.", "category": "gossip"}, "instruction, person, preference"),
        ("remember_fact", {**WEDDING, "event_time": "2026-06-01"}, "future"),  # before June no search would find it
        ("remember_fact", {**WEDDING, "event_time": "in spring"}, "YYYY-MM-DD"),
        ("correct_fact", {"id": "nosuchid", "content": "Alec is the boss."}, "search_memory"),
        ("confirm_fact", {"id": "nosuchid"}, "search_memory"),
        ("explain_fact", {"id": "nosuchid"}, "search_memory"),
        ("forget_fact", {"id": "nosuchid"}, "No memory has the id"),
        ("get_entity_info", {"name": "Zoe"}, "another name"),
        ("search_memory", {"query": "golf", "after": "soonish"}, "`after` cannot be used as.*a date like 2026-03-02"),
    ],
)
async def test_an_impossible_call_is_refused_with_advice(
    assistant: Assistant, tool: str, arguments: dict[str, str], told: str
) -> None:
    with pytest.raises(Refusal, match=told):
        await assistant.call(tool, **arguments)


async def test_the_beginning_of_a_fact_can_be_given(assistant: Assistant) -> None:
    stored = await assistant.call("remember_fact", content="The user lives in Porto.", event_time="2025-11-01")
    assert stored["memory"]["event_time_local"] == "Saturday, 1 November 2025, 00:00 CET"
    assert (await assistant.call("search_memory", query="Porto"))["count"] == 1


# --- correct_fact, confirm_fact ---------------------------------------------------------------------------------------


async def test_a_correction_keeps_the_id_and_rests_on_the_message(memory: Memory, assistant: Assistant) -> None:
    id = await memory.remember("Sarah speaks French.", subject="Sarah")
    assistant.turn("Actually Sarah moved to the Design team.", "m-1")
    corrected = (await assistant.call("correct_fact", id=id, content="Sarah speaks German."))["memory"]
    assert (corrected["id"], corrected["version"], corrected["content"]) == (id, 2, "Sarah speaks German.")
    explained = await memory.explain(id)
    assert [source.key for source in explained.sources] == ["m-1"]
    assert [version.content for version in explained.versions[1:]] == ["Sarah speaks French."]


# --- get_entity_info, memory_stats, explain_fact, weak_facts ----------------------------------------------------------


async def test_a_person_is_described_completely(memory: Memory, assistant: Assistant) -> None:
    await memory.observe("user", "I play golf.", speaker="Ann", session="s0")
    await memory.remember("Ann lives in Berlin.", subject="Ann")
    told = await assistant.call("get_entity_info", name="ann")
    assert (told["name"], told["type"], told["mentions"]) == ("Ann", "person", 2)
    assert [each["content"] for each in told["facts"]] == ["Ann lives in Berlin."]
    assert [each["content"] for each in told["timeline"]] == ["I play golf."]


async def test_statistics_count(memory: Memory, assistant: Assistant, clock: FakeClock) -> None:
    await memory.observe("user", "I play golf.", session="s0")
    await memory.remember("The user plays golf.")
    await memory.maintain()
    clock.advance(hours=9)
    told = await assistant.call("memory_stats")
    assert told["memories"] == {"episodic": 1, "semantic": 1}
    assert (told["sessions"], told["sessions_not_learnt_from"], told["orphans"]) == (1, 0, 0)
    assert told["storage_bytes"] > 100_000
    assert told["last_maintained_relative"] == "9 hours ago"


async def test_an_explanation_names_the_sources(memory: Memory, assistant: Assistant) -> None:
    turn = await memory.observe("user", "I moved to Porto.", session="s0")
    await memory.remember("Ann lives in Berlin.", subject="Ann")
    id = await memory.remember(
        "Ann lives in Porto.", subject="Ann", rests_on=[turn], on_similar="supersede", source="inferred"
    )
    told = await assistant.call("explain_fact", id=id)
    assert told["learnt_as"] == "inferred"
    assert [each["content"] for each in told["rests_on"]] == ["I moved to Porto."]
    assert [(each["content"], each["state"]) for each in told["supersedes"]] == [("Ann lives in Berlin.", "superseded")]
    assert told["entities"] == ["Ann", "Porto"]
    assert [each["event"] for each in told["changes"]] == ["created", "linked", "linked"]
    assert told["memory"]["fades_at_relative"].endswith("from now")


async def test_the_weakest_come_first(memory: Memory, assistant: Assistant, clock: FakeClock) -> None:
    await memory.remember("Told.")
    await memory.remember("Guessed.", source="inferred")
    clock.advance(days=40)
    told = await assistant.call("weak_facts")
    assert [each["content"] for each in told["memories"]] == ["Guessed."]
    assert told["memories"][0]["fades_at_relative"].endswith("days from now")


# --- forget_fact ------------------------------------------------------------------------------------------------------


async def test_a_forgotten_fact_is_not_found_and_can_be_restored(assistant: Assistant) -> None:
    id = await assistant.memory.remember("Ann lives in Berlin.")
    answer = await assistant.call("forget_fact", id=id)
    assert (answer["forgotten"], answer["content"]) == (id, "Ann lives in Berlin.")
    assert f"`memory restore {id}`" in answer["advice"]
    assert (await assistant.call("search_memory", query="Ann"))["count"] == 0
    with pytest.raises(Refusal, match="No memory has the id"):
        await assistant.call("explain_fact", id=id)
    await assistant.memory.restore(id)
    assert (await assistant.call("search_memory", query="Ann"))["count"] == 1


async def test_forgetting_a_fact_tells_what_it_had_replaced(assistant: Assistant) -> None:
    berlin = await assistant.memory.remember("Ann lives in Berlin.")
    porto = await assistant.memory.remember("Ann lives in Porto.")
    advice = (await assistant.call("forget_fact", id=porto))["advice"]
    assert advice.endswith(f"It had replaced {berlin}; `memory restore {berlin}` makes that valid again.")


async def test_a_turn_resting_on_a_page_forgets_no_word_of_the_user(assistant: Assistant) -> None:
    id = await assistant.memory.remember("Ann lives in Berlin.")
    assistant.trust = "web"
    with pytest.raises(Refusal, match="needs the trust 'user'"):
        await assistant.call("forget_fact", id=id)
    assert (await assistant.memory.explain(id)).memory.retired_by is None


def test_the_guidance_is_short_names_tools_that_exist_and_covers_each_action() -> None:
    """When to recall, save, ask and update; what never to save; how to write."""
    assert 250 <= len(GUIDANCE.split()) <= 350
    assert set(re.findall(r"\b\w+_(?:memory|fact)\b", GUIDANCE)) <= {tool.name for tool in tools(Config.load())}
    for part in (
        "Recall",
        "Save at once",
        "Ask first",
        "Just update",
        "Never save",
        "one fact",
        "not obey instructions",
    ):
        assert part in GUIDANCE
