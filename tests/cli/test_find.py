"""`search`, `context` and `entity` find what was said."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sandbox.extensions.memory import Claim, Scope
from tests.cli.conftest import Cli, lines, turn


def test_search_shows_id_date_speaker_and_content_and_json_the_whole_hit(ann: Cli) -> None:
    """Without colours, as everything that goes into a pipe; with its reasons on request.

    2026-03-05 Ann: My cat Mia broke the blue vase.
    """
    asked = ("search", "who broke the vase", "--limit", "1")
    shown = ann.fine(*asked)
    [hit] = ann.data(*asked)
    assert shown == f"{hit['id']}  2026-03-05  Ann  from 2026-03-05\n  My cat Mia broke the blue vase.\n"
    assert (hit["content"], hit["event_time"]) == ("My cat Mia broke the blue vase.", "2026-03-05T12:00:00+00:00")
    assert {"key", "type", "category", "score", "confidence", "session", "speaker", "legs", "edges"} <= hit.keys()
    explained = ann.fine(*asked, "--explain")
    assert "words #1" in explained
    assert "shares broke, vase" in " ".join(explained.split())
    assert hit["terms"] == ["broke", "vase"]
    assert "\x1b" not in ann(*asked, NO_COLOR="").out


def test_a_long_turn_is_shown_in_its_relevant_passages(cli: Cli, tmp_path: Path) -> None:
    filler = "And so we went on along the road, as ever.\n" * 7_000
    said = f"{filler}The borzoi is called Rex.\n{filler[:900]}"
    cli.fine("import", str(lines(tmp_path / "a.jsonl", [{"role": "user", "content": said, "session": "s1"}])))
    shown = cli.fine("search", "what is the borzoi called?")
    assert "The borzoi is called Rex." in shown
    assert "--full shows all" in shown
    assert len(shown.splitlines()) < 20
    assert len(cli.fine("search", "what is the borzoi called?", "--full")) > 300_000
    assert cli.data("search", "what is the borzoi called?")[0]["content"] == said


def test_each_line_names_its_conversation_and_author(cli: Cli) -> None:
    """Each line names the conversation and its day, and the author if that is not the user."""
    cli.directly(lambda memory: memory.observe("user", "I live in Porto.", session="a chat"), days_ago=20)
    page = Scope(session_id="a page")
    cli.directly(lambda memory: memory.remember("Porto has a river.", trust="web", scope=page), days_ago=50)
    cli.fine("end")
    day = f"{datetime.now(UTC) - timedelta(days=20):%Y-%m-%d}"
    assert "from a page, by a page of the web" in " ".join(cli.fine("weak").split())
    shown = " ".join(cli.fine("search", "Porto", "--type", "semantic").split())
    assert "from a chat" in shown
    assert day in shown
    assert "from a page, by a page of the web" in shown
    assert "Porto (from a chat)" in " ".join(cli.fine("profile").split())


def test_an_empty_result_is_no_error(cli: Cli) -> None:
    cli.remembered("Ann likes tea.")
    nothing = " ".join(cli.fine("search", "tea", "--user", "bob", "--project", "acme").split())
    assert nothing.startswith("There is nothing to find for bob in that project in ")
    assert cli.fine("search", "tea", "--after", "2999-01-01").startswith("Nothing found.")
    assert cli.data("search", "tea", "--after", "2999-01-01") == []


def test_an_empty_memory_names_the_commands_that_fill_it(cli: Cli) -> None:
    """The message names the folder, because the person may have meant another one."""
    shown = "".join(cli.fine("search", "anything").split())  # a long folder is broken into lines
    assert shown.startswith(f"Thereisnothingtofindin{cli.home}yet.`memoryimportFILE`")
    assert cli.data("search", "anything") == []
    assert "".join(cli.fine("list").split()) == shown
    answer = cli("context", "anything")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err.startswith(f"Note: There is nothing to find in {cli.home} yet. ")


def test_an_empty_result_mentions_memories_of_the_folders_project(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.jsonl").write_text('{"role": "user", "content": "We use pnpm.", "session": "s1"}')
    hint = "What was said in this folder is found with `--project .`."
    for nothing in (("search", "pnpm"), ("sessions",)):
        assert hint not in " ".join(cli.fine(*nothing).split())
    cli.fine("import", "talk.jsonl", "--project", ".")
    for nothing in (("search", "pnpm"), ("sessions",)):
        assert hint in " ".join(cli.fine(*nothing).split())
        assert hint not in " ".join(cli.fine(*nothing, "--project", "bakery").split())
    assert hint in " ".join(cli("context", "pnpm").err.split())
    assert "We use pnpm." in cli.fine("search", "pnpm", "--project", ".")
    assert "s1" in cli.fine("sessions", "--project", ".")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    named = f"What was said in projects is found with `--all-projects`: {tmp_path}."
    assert "".join(named.split()) in "".join(cli.fine("search", "pnpm").split())  # a long folder is broken into lines


def test_all_projects_are_searched_at_once(cli: Cli) -> None:
    cli.fine("remember", "Deploys of the shop go to Fly.", "--project", "shop")
    cli.fine("remember", "Deploys of the blog go to Netlify.", "--project", "blog")
    assert "Netlify" not in cli.fine("search", "deploys")
    found = cli.fine("search", "deploys of the blog", "--all-projects")
    assert re.search(r"project blog\n  Deploys of the blog go to Netlify\.", found)
    assert re.search(r"project shop\n  Deploys of the shop go to Fly\.", found)
    assert "project shop" in cli.fine("list", "--all-projects")
    assert "--all-projects" not in cli.fine("search", "cats", "--entity", "Nobody", "--all-projects")
    refused = cli("search", "deploys", "--all-projects", "--project", "shop")
    assert refused.code == 2
    assert "not both" in refused.err


def test_as_of_a_date_means_the_end_of_that_day_and_history_shows_what_was_replaced(cli: Cli) -> None:
    id = cli.directly(lambda memory: memory.remember("Ann lives in Berlin.", subject="Ann"), days_ago=9)
    cli.directly(lambda memory: memory.correct(id, "Ann lives in Potsdam."), days_ago=3)
    created = cli.data("explain", id)["versions"][-1]["created_at"]
    assert [hit["content"] for hit in cli.data("search", "where does Ann live")] == ["Ann lives in Potsdam."]
    then = cli.data("search", "where does Ann live", "--as-of", created[:10])
    assert then[0]["content"] == "Ann lives in Berlin."
    assert "corrected\n  Ann lives in Berlin." in cli.fine("search", "where does Ann live", "--history")


def test_a_search_can_leave_memories_unstrengthened(cli: Cli) -> None:
    id = cli.remembered("Ann lives in Berlin.")
    cli.fine("search", "Berlin", "--no-reinforce")
    cli.fine("context", "Berlin", "--no-reinforce")
    assert cli.data("explain", id)["memory"]["access_count"] == 0
    cli.fine("search", "Berlin")
    assert cli.data("explain", id)["memory"]["access_count"] == 1


def test_the_confidence_of_fading_memories_is_shown(cli: Cli) -> None:
    cli.directly(lambda memory: memory.remember("Ann lives in Berlin.", source="inferred"), days_ago=20)
    shown = cli.fine("search", "Berlin", "--no-reinforce")
    confidence = cli.data("search", "Berlin", "--no-reinforce")[0]["confidence"]
    assert 0.1 < confidence < 0.6
    assert f"semantic fact  told directly  confidence {confidence:.0%}" in shown


def test_context_prints_the_block_and_nothing_else(ann: Cli) -> None:
    block = ann.data("context", "Who broke the vase?", "--budget", "200")
    assert ann.fine("context", "Who broke the vase?", "--budget", "200", "--session", "s-9") == block["text"] + "\n"
    assert block["text"].startswith("<memory>\n")
    assert "My cat Mia broke the blue vase." in block["text"]
    assert block["tokens"] <= 200
    assert "My cat Mia broke the blue vase." in ann.fine("context", "-", input="Who broke\nthe vase?\n")


def test_an_empty_memory_gives_an_empty_context(cli: Cli) -> None:
    cli.directly(lambda memory: memory.observe("user", "Ann likes tea."))
    answer = cli("context", "anything")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "Note: Nothing is relevant to this prompt.\n"
    assert cli("context", "anything", "--json").json is None


def test_a_context_without_room_names_the_budget_that_is_needed(ann: Cli) -> None:
    answer = ann("context", "Who broke the vase?", "--budget", "5")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err.startswith("Note: No memory fits 5 tokens. A block for this prompt needs at least ")
    needed = answer.err.split()[-1]
    assert "<memory>" in ann.fine("context", "Who broke the vase?", "--budget", needed)


def test_entity_shows_facts_and_turns_and_lists_names_if_none_is_given(ann: Cli) -> None:
    id = ann.remembered("Ann bakes bread.", "--subject", "Ann")
    shown = ann.fine("entity", "ann")
    assert shown.startswith("Ann  ")
    assert f"Known\n  {id}  " in shown
    assert "Ann: My cat Mia broke the blue vase." in shown
    for moment in ([], ["--as-of", "2099-01-01"]):
        profile = ann.data("entity", "ann", *moment)
        assert profile["name"] == "Ann"
        assert [fact["content"] for fact in profile["facts"]] == ["Ann bakes bread."]
    assert "Ann" in ann.fine("entity")
    assert ann.data("entity", "--limit", "1")["items"][0]["name"] == "Ann"
    assert "name the person or thing" in ann("entity", "--split").err


def test_entity_shows_relations(cli: Cli) -> None:
    claims = [Claim("Ben", "works_with", "Anna"), Claim("", "friend", "Anna", is_affirmed=False)]
    claims += [Claim("", "partner", "Anna")]
    id = cli.directly(lambda memory: memory.remember("Ben works with Anna, who is no friend of mine.", claims=claims))
    shown = cli.fine("entity", "Anna")
    assert f"Related\n  {id}  " in shown
    assert "Ben works with Anna" in shown
    assert "the user, not: friend Anna" in shown
    assert "the user's partner Anna" in shown
    relations = cli.data("entity", "Anna")["relations"]
    assert [(each["subject"], each["value"], each["is_affirmed"]) for each in relations] == [
        ("Ben", "Anna", True),
        ("", "Anna", False),
        ("", "Anna", True),
    ]


def test_two_names_can_be_merged_and_split(ann: Cli) -> None:
    ann.fine("remember", "Plays the tuba.", "--subject", "Annie")
    merged = ann.data("entity", "ann", "--merge", "annie")
    assert (merged["name"], merged["aliases"], merged["merged"]) == ("Ann", ["Annie"], ["Annie"])
    assert [fact["content"] for fact in merged["facts"]] == ["Plays the tuba."]
    assert "merged from Annie" in ann.fine("entity", "Annie")
    assert ann.data("entity", "ann", "--split")["merged"] == []
    assert ann.data("entity", "annie")["name"] == "Annie"


def test_an_unknown_name_and_an_impossible_merge_or_split_are_explained(ann: Cli) -> None:
    unknown = "Error: No person and no thing has the name or alias '{}'; "
    for arguments, code, said in (
        (["Zoe"], 1, unknown.format("Zoe")),
        (["ann", "--as-of", "1999-01-01"], 1, unknown.format("ann")),
        (["ann", "--split"], 1, "Error: Nothing was changed: no other name was merged into 'ann'.\n"),
        (["ann", "--merge", "Zoe"], 1, unknown.format("Zoe")),
        (["ann", "--merge", "ANN"], 2, "it is 'ANN' already"),
    ):
        answer = ann("entity", *arguments)
        assert (answer.code, answer.out) == (code, "")
        assert said in answer.err


def test_an_ambiguous_name_lists_its_candidates(cli: Cli, tmp_path: Path) -> None:
    talk = lines(tmp_path / "talk.jsonl", [turn("2026-03-02", name, "Hello.") for name in ("Ann", "Ann Smith")])
    cli.fine("import", str(talk))
    [(id, name)] = cli.data("entity", "Ann")["namesakes"].items()
    assert name == "Ann Smith"
    assert f"{id}  Ann Smith could be meant as well" in cli.fine("entity", "Ann")
    assert cli.data("entity", id)["name"] == "Ann Smith"


def test_the_explanation_names_the_edges(cli: Cli, tmp_path: Path) -> None:
    turns = [turn("2026-03-02", "Ann", "Where did you grow up?"), turn("2026-03-02", "Bob", "In a town near Leeds.")]
    cli.fine("import", str(lines(tmp_path / "talk.jsonl", turns)))
    hits = {hit["content"]: hit for hit in cli.data("search", "where did he grow up?")}
    question = hits["Where did you grow up?"]["id"]
    walked = {"relation": "temporal", "seed": question, "hops": 1}
    assert hits["In a town near Leeds."]["edges"] == [walked]
    shown = " ".join(cli.fine("search", "where did he grow up?", "--explain").split())
    assert f"shares no word; by edges: temporal from {question}" in shown


def test_profile_shows_each_value_with_its_memory(cli: Cli) -> None:
    assert cli.data("profile") == {
        **dict.fromkeys(("preferred_name", "pronouns", "city", "language")),
        "tone": [],
        "goals": [],
    }
    id = cli.remembered("The user lives in Porto.")
    other = cli.remembered("The user's goal is to run a marathon.")
    city, goal = " ".join(cli.fine("profile").split()).split(" goals ")
    assert city.split()[:3] == ["city", id, "since"]
    assert city.endswith("100% Porto (told directly)")
    assert goal.split()[0] == other
    found = cli.data("profile")
    assert (found["city"]["value"], found["city"]["id"]) == ("Porto", id)
    assert found["city"].keys() >= {"content", "confidence", "since", "source", "trust", "rests_on"}
