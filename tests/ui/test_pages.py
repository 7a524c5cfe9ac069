"""Each page, used as a person does: by roles and names."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.extensions.memory_hooks.log import note
from tests.ui.conftest import Look
from tests.web.conftest import Rest
from tests.web.serving import Served, serving

pytestmark = pytest.mark.web

TURNS = [
    {"role": "user", "speaker": "Ann", "content": "I live in Berlin.", "at": "2026-03-02T10:00:00Z"},
    {"role": "assistant", "content": "A fine city.", "at": "2026-03-02T10:00:05Z"},
    {"role": "user", "speaker": "Ann", "content": "My cat Mia broke the blue vase.", "at": "2026-03-03T10:01:00Z"},
    {"role": "user", "speaker": "Ann", "content": "My password is hunter2horse!", "at": "2026-03-03T10:02:00Z"},
]


def test_a_prompt_shows_its_block_with_reasons(look: Look) -> None:
    seen = look()
    prompt = seen.role("textbox", "What you would say")
    prompt.fill("When does Anna Petrovna's piano go home?")
    prompt.press("Control+Enter")
    seen.settled()
    block = seen.role("region", "Word for word").get_by_role("group").inner_text()
    assert block.startswith("<memory>")
    assert "24 March" in block
    cards = seen.role("listitem").filter(has_text="Anna Petrovna's 1911 grand goes home")
    assert "by words:" in cards.first.inner_text()
    assert "petrovna" in cards.first.inner_text()
    reasons = " ".join(seen.page.locator(".why").all_inner_texts())
    ids = seen.page.locator("[id^=item-]").evaluate_all("found => found.map(each => each.id.slice(5))")
    assert "said near" in reasons
    assert not any(id in reasons for id in ids)
    below = seen.role("region", "Found, but left out").inner_text()
    assert "there was no space left" in below
    assert "q=When" in seen.page.url
    assert not any("Petrovna" in asked for asked in seen.asked)  # no address of the server contains the question


def test_budget_and_moment_change_the_block(look: Look) -> None:
    seen = look("ask?q=Who+is+Oma+Gisela%3F")
    seen.page.get_by_text("Size, project and time").click()
    seen.role("checkbox", "Limit the size").check()
    slider = seen.role("slider", "Size")
    slider.fill("150")
    seen.page.wait_for_url("**budget=150")
    seen.settled()
    used = re.search(r"(\d+) of 150 tokens", seen.text())
    assert used
    assert int(used[1]) <= 150
    seen.page.get_by_label("As it was known on").fill("2026-03-01T12:00")
    seen.page.wait_for_url("**known_on=2026-03-01T12%3A00*")
    seen.settled()
    assert "The assistant gets nothing for this." in seen.text()
    seen.page.reload()
    seen.settled()
    assert "The assistant gets nothing for this." in seen.text()
    assert "As it was known on: 1 Mar 2026, 12:00" in seen.text()


def test_world_time_and_memory_time_are_asked_separately(look: Look, rest: Rest) -> None:
    said = {"role": "user", "speaker": "Ann", "content": "I live in Berlin.", "at": "2020-03-02T10:00:00Z"}
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": [said]})
    seen = look("ask?q=Where+do+I+live%3F&true_on=2021-01-01T12%3A00", user=rest.user)
    seen.role("region", "Word for word").get_by_text("I live in Berlin.").wait_for()  # told today, true since 2020
    seen.page.get_by_label("What was true on").fill("2019-01-01T12:00")
    seen.page.get_by_text("The assistant gets nothing for this.").wait_for()
    seen.page.get_by_label("What was true on").fill("2021-01-01T12:00")
    seen.role("region", "Word for word").wait_for()
    seen.page.get_by_label("As it was known on").fill("2021-01-01T12:00")
    seen.page.get_by_text("The assistant gets nothing for this.").wait_for()


@pytest.mark.parametrize(
    ("told", "day"), [("in 2022", "2022"), ("in May 2022", "May 2022"), ("on 3 May 2022", "3 May 2022")]
)
def test_a_time_is_shown_as_it_was_told(look: Look, rest: Rest, told: str, day: str) -> None:
    said = {"role": "user", "speaker": "Ann", "content": f"I married Ines {told}."}
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": [said]})
    (learnt,) = rest("POST", "/api/sessions/first/learn").json()["learnt"]
    seen = look(f"memory/{learnt['id']}", user=rest.user)
    assert f"since {day}" in seen.role("region", "What it claims").inner_text()
    rest("PUT", f"/api/memory/{learnt['id']}", json={"content": "Ann is married to Inga."})
    seen.go("ask?q=Whom+did+I+marry%3F")
    shown = seen.role("listitem").filter(has_text="Ann is married to Inga.")
    assert shown.locator(".when").inner_text() == day
    seen.go("known")
    assert seen.role("listitem").filter(has_text="Ann is married to Inga.").locator("time").inner_text() == day


def test_letters_of_other_latin_alphabets_have_their_font(look: Look) -> None:
    seen = look("known")
    for font in ("Inter", "Literata"):
        assert seen.page.evaluate(f"document.fonts.load('16px {font}', 'şęőčğī').then(found => found.length)") == 1


def test_a_wrong_recall_is_corrected_in_place(look: Look, rest: Rest) -> None:
    id = rest.create("Ann lives in Potsdam", "person", subject="Ann")
    seen = look("ask?q=Where+does+Ann+live%3F", user=rest.user)
    seen.role("button", "Correct").click()
    field = seen.role("textbox", "What is right?")
    assert field.input_value() == "Ann lives in Potsdam"
    field.fill("Ann lives in Leith")
    field.press("Control+Enter")
    seen.role("region", "Word for word").get_by_text("Ann lives in Leith").wait_for()
    assert rest("GET", f"/api/memory/{id}").json()["previous"] == "Ann lives in Potsdam"
    seen.role("button", "Undo").click()
    seen.role("region", "Word for word").get_by_text("Ann lives in Potsdam").wait_for()
    assert rest("GET", f"/api/memory/{id}").json()["content"] == "Ann lives in Potsdam"
    seen.role("button", "Correct").click()
    field.fill("Ann lives in Leith")
    field.press("Control+Enter")
    seen.role("region", "Word for word").get_by_text("Ann lives in Leith").wait_for()
    seen.role("button", "Confirm").click()
    seen.role("listitem").get_by_text("confirmed", exact=True).wait_for()
    seen.role("button", "Forget").click()
    seen.page.get_by_text("The assistant gets nothing for this.").wait_for()
    rest("GET", f"/api/memory/{id}", 404)
    seen.role("button", "Undo").last.click()
    seen.role("region", "Word for word").get_by_text("Ann lives in Leith").wait_for()


def test_a_missing_fact_is_added_and_a_wrong_turn_forgotten(look: Look, rest: Rest) -> None:
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS})
    seen = look("ask", user=rest.user)
    assert "Did an assistant say something wrong?" in seen.text()
    seen.go("ask?q=Who+broke+the+vase%3F")
    text = seen.page.locator(".serif", has_text="My cat Mia broke the blue vase.")
    said = seen.role("listitem").filter(has=text)
    assert said.get_by_role("button").all_inner_texts() == ["Forget"]
    said.get_by_role("button", name="Forget").click()
    said.wait_for(state="detached")
    seen.page.get_by_text("Is something missing? Tell the memory").click()
    field = seen.role("textbox", "What should be remembered?")
    field.fill("The dog broke the blue vase.")
    assert seen.faults() == []
    field.press("Control+Enter")
    seen.role("region", "Word for word").get_by_text("The dog broke the blue vase.").wait_for()
    seen.role("button", "Undo").last.click()
    seen.role("region", "Word for word").get_by_text("The dog broke").wait_for(state="detached")


def test_the_list_is_filtered_and_the_address_keeps_the_filter(look: Look) -> None:
    seen = look("known")
    everything = seen.role("status").filter(has_text="memories").inner_text()
    seen.role("link", "instruction 3").click()
    seen.page.wait_for_url("**category=instruction")
    seen.page.get_by_text("3 memories").wait_for()
    seen.page.reload()
    seen.page.get_by_text("3 memories").wait_for()
    seen.role("link", "instruction 3").click()
    seen.page.get_by_text(everything).wait_for()
    seen.role("checkbox", "Also what was replaced or has faded").check()
    seen.page.wait_for_url("**history=1")
    seen.page.get_by_text(re.compile(r"^(1[2-9]|[2-9]\d) memories$")).wait_for()
    seen.role("searchbox").fill("the dog's food")
    seen.role("button", "Find").click()
    seen.page.wait_for_url("**q=the*")
    seen.page.get_by_text("must not eat").first.wait_for()


def test_memories_are_selected_forgotten_and_restored_by_keyboard(look: Look, rest: Rest) -> None:
    said = [f"Ann keeps {animal}" for animal in ("bees", "two cats", "a goat", "geese", "a tortoise")]
    ids = [rest.create(each, on_similar="keep") for each in said]
    seen = look("known", user=rest.user)
    first = seen.role("link", said[-1])
    first.focus()
    seen.keys("ArrowDown", "ArrowDown")
    assert seen.page.evaluate("document.activeElement.textContent") == said[2]
    seen.keys("Space", "End", "Space")
    assert seen.page.evaluate("document.activeElement.textContent") == said[0]
    seen.page.get_by_text("2 selected").wait_for()
    seen.role("button", "Forget").press("Enter")
    dialog = seen.role("dialog", "Forget 2 memories?")
    dialog.wait_for()
    assert [each.inner_text() for each in dialog.get_by_role("listitem").all()] == [said[2], said[0]]
    seen.keys("Escape")
    dialog.wait_for(state="hidden")
    seen.role("button", "Forget").press("Enter")
    dialog.get_by_role("button", name="Forget").press("Enter")
    seen.page.get_by_text("3 memories", exact=True).wait_for()
    rest("GET", f"/api/memory/{ids[0]}", 404)
    seen.role("button", "Undo").press("Enter")
    seen.page.get_by_text("5 memories", exact=True).wait_for()
    seen.role("link", said[-1]).focus()
    seen.keys("Enter")
    seen.role("heading", said[-1]).wait_for()


def test_a_memory_shows_its_sources_and_links_to_their_turns(look: Look, rest: Rest) -> None:
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS})
    (learnt, *_) = rest("POST", "/api/sessions/first/learn").json()["learnt"]
    seen = look(f"memory/{learnt['id']}", user=rest.user)
    assert "lives in Berlin" in seen.role("heading", None).first.inner_text()
    claims = seen.role("region", "What it claims").inner_text()
    assert "Berlin" in claims
    assert "home" in claims
    assert "fades on" in seen.role("region", "Its life").inner_text()
    seen.role("region", "Where it comes from").get_by_role("link", name="See it in the conversation").click()
    seen.settled()
    meant = seen.page.locator("[aria-current=true]")
    assert "I live in Berlin." in meant.inner_text()
    assert learnt["content"] in meant.get_by_role("list", name="Learnt from it").inner_text()
    assert "masked" in seen.text()
    assert "Not learnt" not in meant.inner_text()
    seen.page.get_by_text("Not learnt: an assistant said it").wait_for()
    seen.page.get_by_text("Not learnt: the rules do not know this way of saying it").first.wait_for()
    assert "hunter2" not in seen.page.content()


def test_a_concurrent_correction_is_reported(look: Look, rest: Rest) -> None:
    id = rest.create("Ann lives in Potsdam", "person", subject="Ann")
    seen = look(f"memory/{id}", user=rest.user)
    seen.role("button", "Correct").click()
    field = seen.role("textbox", "What is right?")
    field.fill("Ann lives in Leith")
    seen.page.wait_for_timeout(300)
    rest("PUT", f"/api/memory/{id}", json={"content": "Ann lives in Berwick"})
    seen.role("button", "Save").click()
    told = seen.role("alert").filter(has_text="Somebody changed it meanwhile")
    assert "Ann lives in Berwick" in told.inner_text()
    assert field.input_value() == "Ann lives in Leith"
    seen.role("button", "Save mine").click()
    seen.role("heading", "Ann lives in Leith").wait_for()
    versions = seen.role("region", "Versions").inner_text()
    assert versions.index("Leith") < versions.index("Berwick") < versions.index("Potsdam")


def test_a_memory_shows_who_changed_it_and_why(look: Look, rest: Rest) -> None:
    id = rest.create("Ann lives in Berlin.", "person", subject="Ann")
    new = {"content": "Ann lives in Rome.", "category": "person", "subject": "Ann", "on_similar": "supersede"}
    rest("POST", "/api/memory/", 201, json=new)
    for language, told in (
        ("en", "replaced TIME this page and programs, by REST · because something else is true now"),
        ("ru", "заменено TIME эта страница и программы, через REST · потому что теперь верно другое"),
    ):
        seen = look(f"memory/{id}", user=rest.user, language=language)
        replaced = seen.page.locator(".history li").filter(has_text=told.split()[0])
        when = replaced.locator("time").inner_text()
        assert " ".join(replaced.inner_text().split()) == told.replace("TIME", " ".join(when.split()))
    (by,) = rest("GET", f"/api/memory/{id}/history").json()["superseded_by"]
    seen = look(f"memory/{by['id']}", user=rest.user)
    seen.role("region", "What happened to it").get_by_role("link", name="Ann lives in Berlin.").click()
    seen.role("heading", "Ann lives in Berlin.").wait_for()
    id = rest.create("Bob keeps bees")
    rest("PUT", f"/api/memory/{id}", json={"content": "Bob keeps wasps"})
    seen.go(f"memory/{id}")
    assert "took the place of" not in seen.role("region", "What happened to it").inner_text()


def test_a_forgotten_memory_is_restored_on_its_page(look: Look, rest: Rest) -> None:
    id = rest.create("Ann keeps bees")
    rest("DELETE", f"/api/memory/{id}", 204)
    seen = look(f"memory/{id}", user=rest.user)
    seen.role("heading", "This memory is forgotten.").wait_for()
    seen.role("button", "Restore").click()
    seen.role("heading", "Ann keeps bees").wait_for()
    seen.go("memory/nothing")
    seen.role("heading", "There is no such memory.").wait_for()


def test_conversations_are_found_learnt_from_and_erased_after_a_preview(look: Look, rest: Rest) -> None:
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": TURNS})
    seen = look("talks", user=rest.user)
    assert "Tuesday" in seen.text()
    assert "not learnt from yet" in seen.text()
    seen.role("searchbox").fill("vase")
    seen.keys("Enter")
    seen.role("link", "My cat Mia broke the blue vase.").click()
    seen.settled()
    assert "blue vase" in seen.page.locator("[aria-current=true]").inner_text()
    masked = seen.page.locator(".turn").filter(has=seen.page.get_by_text("masked", exact=True))
    assert masked.count() == 1
    assert "My password is [secret: password]" in masked.inner_text()
    seen.role("button", "Learn from it now").click()
    seen.page.get_by_text(re.compile(r"\d memor(y|ies) learnt\.")).wait_for()
    seen.role("list", "Learnt from it").first.wait_for()
    seen.role("button", "Erase").click()
    dialog = seen.role("dialog", "Erase this conversation?")
    assert "erases 4 turns" in dialog.inner_text()
    dialog.get_by_role("button", name="Cancel").click()
    assert rest("GET", "/api/sessions/first/turns").json()["total"] == 4
    seen.role("button", "Erase").click()
    dialog.get_by_role("button", name="Erase").click()
    seen.page.get_by_text("The conversation is erased.").wait_for()
    seen.page.get_by_text("No conversation is kept yet.").wait_for()
    rest("GET", "/api/sessions/first/turns", 404)
    seen.page.go_back()
    seen.page.get_by_text("This conversation is not kept.").wait_for()
    assert seen.role("button", "Erase").count() == 0


def test_what_ends_on_a_coming_day_is_still_so(look: Look, rest: Rest) -> None:
    coming = (datetime.now(UTC) + timedelta(days=60)).strftime("%d %B %Y")
    for session, text in (("first", "I live in Berlin."), ("second", f"I will move to Potsdam on {coming}.")):
        rest("POST", f"/api/sessions/{session}/turns", 201, json={"turns": [{"role": "user", "content": text}]})
        rest("POST", f"/api/sessions/{session}/learn")
    (ends,) = rest("GET", "/api/sessions/first/turns").json()["turns"][0]["learnt"]
    assert ends["valid_until"]
    seen = look("talks/first", user=rest.user)
    seen.role("list", "Learnt from it").wait_for()
    assert "not any more" not in seen.text()


def test_people_are_shown_related_and_merged(look: Look, rest: Rest) -> None:
    for each in (
        "Ann is married to Bob.",
        "Bob works at Initech.",
        "Robert lives in Leith.",
        "Ann plans to move to Fife.",
        "My name is Nell.",
    ):
        rest.create(each, "person", on_similar="keep")
    seen = look("people", user=rest.user)
    assert "Nell" in seen.role("region", "You").inner_text()
    seen.role("searchbox").fill("rob")
    seen.role("link", "Robert").click()
    seen.role("button", "It is the same as…").click()
    seen.role("textbox", "The other name").fill("Bob")
    seen.keys("Enter")
    seen.role("heading", "Bob").wait_for()
    seen.page.get_by_text("Joined with").wait_for()
    seen.settled()
    relations = seen.role("region", "Relations to others").get_by_role("table").inner_text()
    assert "Initech" in relations
    assert "spouse" in relations
    seen.role("img", re.compile("Who and what is near: .*Ann")).wait_for()
    seen.role("combobox", "Reach").select_option("2")
    seen.page.wait_for_url("**reach=2")
    near = seen.role("group", "Who and what is near")
    seen.role("combobox", "Connected by").select_option(label="spouse")
    seen.page.wait_for_url("**by=spouse")
    near.get_by_role("link", name="Initech").wait_for(state="detached")
    seen.page.get_by_label("As of").fill("2020-02-02")
    seen.page.get_by_text("Nothing else is connected with it.").wait_for()
    assert near.count() == 0
    seen.page.get_by_label("As of").fill("")
    near.get_by_role("link", name="Ann").first.click()
    seen.role("heading", "Ann").wait_for()
    seen.role("region", "Relations to others").get_by_role("link", name="home (plan)").wait_for()
    seen.go("people/Bob")
    seen.role("button", "Separate them again").click()
    seen.page.get_by_text("They are separate again.").wait_for()
    assert rest("GET", "/api/entities/Robert").json()["name"] == "Robert"


def test_no_name_in_the_graph_is_cut_off(look: Look, rest: Rest) -> None:
    for first in ("Ann", "Bea", "Cleo", "Dora", "Ella", "Fee", "Gwen", "Hild", "Ida", "Jo", "Kim", "Lea"):
        rest.create(f"{first} Konstantinopolska works at Initech.", "person", on_similar="keep")
    seen = look("people/Initech", user=rest.user)
    seen.role("img", re.compile("Who and what is near")).wait_for()
    seen.page.wait_for_timeout(1_000)  # while it is laid out
    last_column = """canvas => canvas.getContext("2d").getImageData(canvas.width - 1, 0, 1, canvas.height)
        .data.some(Boolean)"""
    assert not seen.page.locator("canvas.sigma-labels").evaluate(last_column)


def test_the_timeline_is_moved_by_keyboard(look: Look) -> None:
    seen = look("time?day=2026-03-07")
    assert "Believed then" in seen.text()
    before = int(seen.role("region", "Believed then").locator(".count").inner_text())
    assert "stored" in seen.role("region", "What changed on that day").inner_text()
    handle = seen.role("slider", "Day")
    assert handle.get_attribute("aria-valuetext") == "Saturday 7 March 2026".replace("Saturday 7", "Saturday, 7")
    handle.focus()
    seen.keys(*["ArrowRight"] * 6)
    seen.page.wait_for_url("**day=2026-03-13")
    seen.settled()
    assert int(seen.role("region", "Believed then").locator(".count").inner_text()) > before
    seen.role("button", "Day before").click()
    seen.page.wait_for_url("**day=2026-03-12")
    assert seen.role("region", "The night’s work on this day").count() == 0
    seen.go("time?day=2026-04-23")
    night = seen.role("region", "The night’s work on this day").get_by_role("cell").all_inner_texts()
    assert (night[0], night[2:]) == ("11:06", ["faded 1", "nothing"])


def test_the_timeline_shortens_a_long_pause(look: Look, rest: Rest) -> None:
    said = ("I live in Berlin.", "2020-03-02T10:00:00Z"), ("I work at Acme.", "2024-05-06T10:00:00Z")
    turns = [{"role": "user", "speaker": "Ann", "content": text, "at": at} for text, at in said]
    rest("POST", "/api/sessions/first/turns", 201, json={"turns": turns})
    seen = look("time?day=2020-03-02", user=rest.user)
    handle = seen.role("slider", "Day")
    assert int(handle.get_attribute("max")) < 40
    seen.page.get_by_text("Long times without a change are shortened").wait_for()
    seen.page.get_by_label("Day").and_(seen.page.locator("[type=date]")).fill("2022-02-02")
    seen.page.wait_for_url("**day=2022-02-02")
    seen.page.get_by_text("As of 2 February 2022").wait_for()
    handle.focus()
    seen.keys("ArrowRight")
    seen.page.wait_for_url("**day=2024-05-01")
    seen.role("button", "Day before").click()
    seen.page.wait_for_url("**day=2024-04-30")
    handle.focus()
    seen.keys("Home")
    seen.page.wait_for_url("**day=2020-03-02")


def test_the_health_page_shows_checks_and_counts(look: Look) -> None:
    seen = look("health")
    seen.page.get_by_text("Everything is in order.").wait_for()
    assert "writable" in seen.role("region", "Checks").inner_text()
    assert "144" in seen.role("region", "What is held").inner_text()


def test_the_health_page_shows_activity_failures_and_costs(look: Look, tmp_path: Path) -> None:
    home = tmp_path / "home"

    async def lived() -> None:
        model = ScriptedLanguageModel({"items": [], "summary": ""}, {"items": [], "summary": ""})
        async with Memory.open(home, embedder=None, model=model) as memory:
            await memory.remember("Ann keeps bees.")
            for session in ("one", "two"):
                await memory.observe("user", "I live in Berlin.", session=session)
                await memory.consolidate(session)
            await memory.maintain(only=["insights", "prune"])

    with ThreadPoolExecutor() as beside:  # here a loop of the browser runs
        beside.submit(asyncio.run, lived()).result()
    with serving(home) as server:
        note(home, "UserPromptSubmit", "no answer within 2 seconds")
        for _ in range(2):
            assert server.client.get("/api/memory/nothing").status_code == 404
        seen = look("health", url=server.url)
        seen.page.get_by_text("1 thing is wrong.").wait_for()
        troubles = seen.role("region", "What hooks of coding agents failed at").inner_text()
        assert "UserPromptSubmit" in troubles
        assert "no answer within 2 seconds" in troubles
        failed = seen.role("region", "What clients failed at").get_by_role("row").filter(has_text="/api/memory/{id}")
        assert "no such memory" in failed.inner_text()
        assert failed.get_by_role("cell").last.inner_text() == "2"
        did = seen.role("region", "Who changed what").get_by_role("row").filter(has_text="a program")
        assert "stored" in did.inner_text()
        cost = seen.role("region", "What models cost").get_by_role("row").filter(has_text="learning")
        assert cost.count() == 1
        assert cost.get_by_role("cell").nth(4).inner_text() == "2"
        night = seen.role("region", "The last nights").get_by_role("row").last
        cells = night.get_by_role("cell").all_inner_texts()
        assert cells[2:] == ["nothing", "insights: the language model does not answer"]
        assert seen.faults() == []
        narrow = look("health", url=server.url, width=360)
        beyond = "each => each.scrollWidth - each.clientWidth"
        tables = narrow.page.locator(".table")
        assert [tables.nth(place).evaluate(beyond) for place in range(tables.count())] == [0] * 5
        assert narrow.faults() == []
        assert narrow.role("columnheader", "How often").count() == 1
        russian = look("health", url=server.url, language="ru")
        assert "нет ответа за 2 секунды" in russian.role("region", "Что не удалось хукам").inner_text()
        checks = russian.role("region", "Проверки").inner_text()
        assert "со вчерашнего дня 1 неудача, последняя: " in checks
        assert "векторы через vec0" in checks
        for name, page in (("wide", seen), ("narrow", narrow)):
            page.shoot(f"health-failures-{name}", full_page=True)


def test_every_page_speaks_russian(look: Look) -> None:
    seen = look(language="ru")
    assert seen.page.evaluate("document.documentElement.lang") == "ru"
    pages = {
        "Спросить": "Что получит ассистент",
        "Известное": "Что известно",
        "Разговоры": "Разговоры",
        "Люди и вещи": "Люди и вещи",
        "Время": "Время",
        "На решение": "На решение",
        "Состояние": "Состояние",
    }
    for link, heading in pages.items():
        seen.role("navigation").get_by_role("link", name=link).click()
        seen.role("heading", heading).first.wait_for()
        seen.settled()
    assert "Всё в порядке." in seen.text()
    seen.go("known")
    assert "11 воспоминаний" in seen.text()
    seen.role("link").filter(has_text="Nell's cousin").click()
    seen.role("button", "Исправить").wait_for()
    assert "мар. 2026 г." in seen.text()


def test_the_chosen_language_and_colours_stay(look: Look) -> None:
    seen = look()
    light = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    seen.role("button", "Settings").click()
    seen.page.get_by_label("Colours").select_option("dark")
    seen.page.get_by_label("Language").select_option("ru")
    seen.role("button", "Закрыть").click()
    seen.page.reload()
    seen.role("heading", "Что получит ассистент").wait_for()
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_the_memories_of_a_project_are_shown_on_request(look: Look, rest: Rest) -> None:
    new = {"content": "It runs on port 80", "category": "fact"}
    rest("POST", "/api/memory/", 201, params={"project": "site"}, json=new)
    seen = look("known", user=rest.user)
    assert "Nothing is known yet." in seen.text()
    seen.role("button", "Settings").click()
    seen.role("dialog", "Settings").get_by_label("Project").fill("site")
    seen.role("button", "Show this memory").click()
    seen.role("link", "It runs on port 80").wait_for()
    assert "site" in seen.role("button", "Settings").inner_text()


def test_conversations_of_all_projects_are_shown_together(look: Look, rest: Rest) -> None:
    for project in ("shop", "blog"):
        said = {"turns": [{"role": "user", "content": f"Deploys of the {project} go to Fly."}]}
        rest("POST", f"/api/sessions/{project}-1/turns", 201, params={"project": project}, json=said)
    seen = look("talks", user=rest.user)
    assert "Deploys" not in seen.text()
    seen.page.get_by_label("In the project").select_option("all projects")
    seen.role("link", "Deploys of the blog go to Fly.").wait_for()
    assert "all projects" in seen.role("button", "Settings").inner_text()
    seen.role("link", "Deploys of the shop go to Fly.").click()
    seen.role("button", "Erase").click()
    seen.role("dialog", "Erase this conversation?").get_by_role("button", name="Erase").click()
    seen.role("link", "Deploys of the blog go to Fly.").wait_for()
    assert "Deploys of the shop" not in seen.text()


def test_a_change_by_another_program_is_shown_at_once(look: Look, rest: Rest) -> None:
    seen = look("known", user=rest.user)
    assert "Nothing is known yet." in seen.text()
    rest.create("Ann keeps bees")
    seen.role("link", "Ann keeps bees").wait_for()


def test_pages_have_a_skip_link_and_titles(look: Look) -> None:
    seen = look("known")
    assert seen.page.title() == "What is known · Memory"
    seen.keys("Tab")
    skip = seen.page.evaluate("document.activeElement.textContent")
    assert skip == "Skip to the content"
    seen.keys("Enter")
    assert seen.page.evaluate("document.activeElement.tagName") == "H1"
    seen.go("nonsense")
    seen.role("heading", "There is no such page.").wait_for()


def test_the_page_can_be_opened_from_a_clean_address(look: Look, served: Served) -> None:
    seen = look(user="somebody")
    assert seen.page.url == f"{served.url}/ui/#/"
