"""`weak`, `stats`, `maintain`, `nights`, `doctor`."""

import re
import shlex

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from tests.cli.conftest import Cli, configure

SILENT = "embedding: {provider: openai, model: m, dimensions: 8, base_url: 'http://127.0.0.1:9/v1', timeout: 0.05}"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("weak", "Nothing is fading.\n"),
        ("nights", "There was no night yet."),
        ("profile", "Your preferred name, pronouns, city, language, tone and goals are not known yet."),
        ("proposals", "Nothing waits for your consent.\n"),
    ],
)
def test_an_empty_memory_says_so(cli: Cli, command: str, told: str) -> None:
    assert cli.fine(command).startswith(told)


def test_weak_memories_are_listed_in_the_order_of_fading(cli: Cli) -> None:
    cli.directly(lambda memory: memory.remember("Ann likes tea.", source="inferred"), days_ago=45)
    old = cli.data("weak")[0]["id"]
    cli.directly(lambda memory: memory.remember("Ann likes cake.", source="inferred"), days_ago=40)
    cli.remembered("Ann likes pie.")
    assert [record["content"] for record in cli.data("weak")] == ["Ann likes tea.", "Ann likes cake."]
    assert [record["content"] for record in cli.data("weak", "--limit", "1")] == ["Ann likes tea."]
    shown = cli.fine("weak")
    assert shown.startswith(f"{old}  fades on 20")
    assert "memory confirm ID" in shown


def test_the_night_retires_faded_memories(cli: Cli) -> None:
    id = cli.directly(lambda memory: memory.remember("Ann likes tea.", source="inferred"), days_ago=200)
    planned = cli.fine("maintain", "--dry-run")
    assert planned.startswith("1 memory has faded or been unused, to be retired:\n")
    assert id in planned
    assert "Ann likes tea." in planned
    assert cli.data("stats")["retired"] == {}
    assert cli.fine("maintain").startswith("1 memory has faded or been unused, retired:\n")
    assert cli.fine("maintain").startswith("Nothing has faded.\n")
    assert cli.data("stats")["retired"] == {"decayed": 1}
    assert "faded on" in cli.fine("explain", id)
    nights = cli.fine("nights").splitlines()
    assert [night.partition(" s  ")[2] for night in nights] == ["no memory changed", "1 pruned"]
    assert [night["changes"] for night in cli.data("nights", "--limit", "1")] == [{}]


def test_a_night_with_a_failed_step_exits_with_1(cli: Cli) -> None:
    """A model that cannot be reached makes one fail; the others run, and the report says all."""
    cli.remembered("Ann likes tea.")
    cli.directly(lambda memory: memory.observe("user", "I am so happy about my new job!", session="s"))
    configure(cli.home, "models: {memory: {model: x, base_url: 'http://127.0.0.1:9/v1', max_retries: 0}}")
    night = cli("maintain", "--json")
    assert night.code == 1
    assert [step["step"] for step in night.json["steps"] if step["status"] == "failed"] == ["insights"]


def test_the_night_counts_memories_of_others_without_showing_them(cli: Cli) -> None:
    cli.directly(lambda memory: memory.remember("Ann likes tea.", source="inferred", scope=Scope("ann")), days_ago=200)
    shown = cli.fine("maintain", "--dry-run")
    assert shown.startswith("1 memory has faded")
    assert "tea" not in shown


def test_each_step_of_the_night_has_its_line(ann: Cli) -> None:
    ann.remembered("Ann waters the plants at the Acme office.")
    ann.remembered("Ann waters the plants at Acme office.", "--category", "person")
    planned = ann.fine("maintain", "--dry-run")
    assert "merge      planned  1 merged\n" in planned
    assert "insights   skipped  there is no language model\n" in planned
    did = ann.fine("maintain", "--only", "merge", "--only", "prune")
    assert did == "Nothing has faded.\n\nmerge  done  1 merged\nprune  done  nothing to do\n"
    report = ann.data("maintain")
    assert [(step["step"], step["status"]) for step in report["steps"]][1:5] == [
        ("merge", "done"),
        ("identity", "done"),
        ("relate", "done"),
        ("enrich", "done"),
    ]
    assert report["steps"][0]["spent"] == {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0}


def test_an_unknown_step_is_refused(cli: Cli) -> None:
    refused = cli("maintain", "--only", "gossip", "--json")
    assert refused.code == 2
    assert refused.json["error"]["type"] == "UnknownStep"
    assert "the steps are sessions, merge, identity, relate, enrich, causality, insights, prune, retain" in refused.err


def test_the_tokens_of_models_are_counted(cli: Cli) -> None:
    async def maintain(memory: Memory) -> None:
        await memory.observe("user", "Thanks for being honest.", session="s")
        await memory.maintain(only=["insights"])

    cli.directly(maintain, model=ScriptedLanguageModel("no idea", {"insights": []}))
    shown = cli.fine("stats")
    assert "cost of insights        2 questions, " in shown
    assert "answers refused         1 (1 no_json)\n" in shown
    assert cli.data("stats")["spending"]["insights"]["calls"] == 2


def test_the_share_of_items_without_faults_is_shown(cli: Cli) -> None:
    async def learn(memory: Memory) -> None:
        await memory.observe("user", "I keep bees.", session="s")
        await memory.consolidate("s")

    good, bad = ({"turns": [1], "content": content} for content in ("The user keeps bees.", "I keep bees."))
    model = ScriptedLanguageModel({"items": [good, good, bad]}, {"items": [good]}, otherwise={"verdicts": []})
    cli.directly(learn, model=model)
    shown = cli.fine("stats")
    assert "read by models          2 of 3 items right (67%)\nanswers refused         1 (1 pronoun)\n" in shown
    found = cli.data("stats")
    assert (found["answer_quality"], found["violations"]) == ({"items": 3, "right": 2}, {"pronoun": 1})


def test_statistics_are_a_table(ann: Cli) -> None:
    shown = ann.fine("stats")
    assert "memories                4 (4 episodic)\n" in shown
    assert "conversations           3 (3 not yet learnt from)\n" in shown
    assert "last maintained         never\n" in shown


def test_a_sound_memory_is_healthy(ann: Cli) -> None:
    shown = ann.fine("doctor")
    assert shown.startswith(f"Home  {str(ann.home)[:40]}")
    assert "made just now" not in shown
    assert "  ok  file                     sound\n" in shown
    assert "  ok  words                    4 of 4 memories indexed\n" in shown
    assert "->" not in shown
    for line in ("ok run_nightly_maintenance never run; next 2", "ok events all delivered", "ok model none configured"):
        assert line in " ".join(shown.split())
    assert shown.endswith("\nEverything is in order.\n")
    report = ann.data("doctor")
    assert (report["home"], report["is_new"], report["ok"]) == (str(ann.home), False, True)
    assert [part["name"] for part in report["parts"]] == [
        "Memory",
        "Assistant",
        "Terminal",
        "Embedding",
        "Memory over MCP",
        "Conversations",
        "Coding agents",
    ]
    mistyped = Cli(ann.home / "another")
    assert "made just now" in " ".join(mistyped.fine("doctor").split())


def test_the_memory_is_checked_even_if_the_kernel_cannot_start(ann: Cli) -> None:
    (ann.home / "kernel.db").write_bytes(b"this is no database" * 100)
    ill = ann("doctor")
    assert ill.code == 1
    shown = " ".join(ill.out.split())
    assert "ok words 4 of 4 memories indexed" in shown
    assert "kernel.db cannot be used" in shown
    assert ill.out.endswith("\n1 thing is wrong.\n")


def test_a_silent_provider_is_reported_and_search_uses_words(cli: Cli) -> None:
    """The port of the provider is closed."""
    configure(cli.home, SILENT)
    answer = cli("remember", "Ann likes tea.")
    assert answer.code == 0
    assert answer.err.startswith("Note: The embedding provider openai/m/8/centred cannot answer (")
    found = cli("search", "tea", "--json")
    assert [hit["content"] for hit in found.json] == ["Ann likes tea."]
    ill = cli("doctor")
    assert ill.code == 1
    assert "WRONG" in ill.out
    assert "-> memories are found by their words meanwhile" in " ".join(ill.out.split())
    assert ill.err == ""
    assert cli("doctor", "--json").json["ok"] is False


def test_an_import_without_a_provider_names_the_waiting_turns(cli: Cli, talk: object) -> None:
    configure(cli.home, SILENT)
    answer = cli("import", str(talk), "--json")
    assert answer.code == 0
    assert answer.json["embedded"] is False
    assert answer.json["files"][0]["new"] == 4
    assert "What waits is embedded later." in answer.err


def test_conversations_are_listed_with_ids_for_other_commands(ann: Cli) -> None:
    found = ann.data("sessions")
    assert [(each["id"], each["turns"], each["waits"]) for each in found] == [
        ("2026-03-09", 1, True),
        ("2026-03-05", 2, True),
        ("2026-03-02", 1, True),
    ]
    ann.fine("end", "2026-03-05")
    first, opening, last = ann.fine("sessions", "--limit", "1", "--offset", "1").splitlines()
    assert first.startswith("2026-03-05  2026-03-05")
    assert "waits" not in first
    assert opening == f"  {found[1]['opening']}"
    assert "  waits to be learnt from" in ann.fine("sessions", "--limit", "1")
    assert last == "`memory sessions --offset 2` lists those before."
    assert ann.fine("sessions", "--user", "bob") == "There are no conversations here.\n"


def test_conversations_that_wait_for_a_model_are_counted_by_the_reason(cli: Cli) -> None:
    configure(cli.home, "models: {default: {model: m, base_url: 'http://127.0.0.1:9/v1', max_retries: 0}}")

    async def observe(memory: Memory) -> None:
        for number in range(30):
            await memory.observe("user", f"I have {number} bees.", session=f"s{number}")

    cli.directly(observe)
    counts = re.findall(r"^(\d+) conversations? waits?: ", cli.fine("end"), re.MULTILINE)
    assert sum(map(int, counts)) == 30
    assert len(counts) < 5


CITIES = """
    Oslo Rome Lima Bonn Kyiv Riga Bern Cork Nice Lyon Graz Linz Pisa Bari Faro Vigo Brno Gent Lodz Pula Hull York
""".split()


def test_every_learnt_memory_is_listed(cli: Cli) -> None:
    """At once, and by the command that the shortened list names."""

    async def observe(memory: Memory) -> None:
        for session in ("s1", "s2"):
            for city in CITIES:
                await memory.observe("user", f"My friend {city}ina lives in {city}.", session=session)

    cli.directly(observe)
    shortened = cli.fine("end", "s1")
    more = re.search(r"`memory (list --limit \d+)`", " ".join(shortened.split()))
    assert more is not None
    listed = cli.fine(*shlex.split(more[1]))
    in_full = cli.fine("end", "s2", "--all")
    for city in CITIES:
        assert f"lives in {city}" in listed
        assert f"lives in {city}" in in_full
