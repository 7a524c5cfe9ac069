"""`remember`, `correct`, `confirm`, `forget`, `restore`, and what `explain` shows of them."""

import pytest

from sandbox.extensions.memory import Memory
from tests.cli.conftest import Cli, process


def test_a_remembered_statement_is_found(cli: Cli) -> None:
    shown = cli.fine("remember", "Ann lives in Potsdam.", "--subject", "Ann")
    [hit] = cli.data("search", "where does Ann live?")
    assert shown.startswith(f"Remembered as  {hit['id']}  does not fade\n")
    assert "  Ann lives in Potsdam.\n" in shown
    assert hit["subject"] == "Ann"


def test_a_statement_that_is_told_again_is_known_already(cli: Cli) -> None:
    id = cli.remembered("Rex is a poodle.", "--subject", "Rex")
    assert cli.fine("remember", "Rex is a poodle.", "--subject", "Rex").startswith(f"Known already as  {id}")
    cli.fine("correct", id, "Rex is a terrier.")
    assert cli.fine("remember", "Rex is a terrier.", "--subject", "Rex").startswith(f"Known already as  {id}")
    assert cli.fine("remember", "Rex likes tea.", "--subject", "Rex").startswith("Remembered as")


def test_every_option_of_remember_reaches_the_memory(cli: Cli) -> None:
    options = ["--type", "opinion", "--category", "preference", "--subject", "Ann", "--tag", "tea", "--tag", "morning"]
    record = cli.data("remember", "Ann likes black tea.", *options, "--at", "2026-03-02T12:00:00+00:00")
    assert (record["type"], record["category"], record["subject"]) == ("opinion", "preference", "Ann")
    assert record["tags"] == ["tea", "morning"]
    assert record["event_time"] == "2026-03-02T12:00:00+00:00"


def test_a_statement_and_its_correction_are_read_from_stdin(cli: Cli) -> None:
    told = cli("remember", "-", "--json", input="Anna lebt in München.\r\nПривет, 世界!\n").json
    assert told["content"] == "Anna lebt in München.\r\nПривет, 世界!"
    assert cli("correct", told["id"], "-", "--json", input="Rex is a terrier.\n").json["content"] == "Rex is a terrier."


def test_on_similar_refuses_the_new_or_ends_the_older_statement(cli: Cli) -> None:
    id = cli.remembered("Ann lives in Berlin now.", "--subject", "Ann", "--at", "2026-01-01")
    refused = cli("remember", "Ann lives in Potsdam now.", "--subject", "Ann", "--on-similar", "refuse")
    assert refused.code == 1
    assert f"a similar memory is known: {id}" in refused.err
    told = ["Ann lives in Potsdam now.", "--subject", "Ann", "--at", "2026-03-02"]
    assert f"It replaced\n  {id}  2026-01-01  Ann lives in Berlin now." in cli.fine(
        "remember", *told, "--on-similar", "supersede"
    )
    assert "It replaced" not in cli.fine("remember", *told)
    assert "true         from 2026-01-01 until 2026-03-02" in cli.fine("explain", id)
    assert "It was replaced by" in cli.fine("explain", id)


def test_a_statement_that_may_contradict_another_says_so(cli: Cli) -> None:
    id = cli.remembered("My name is Selma and I live in Leipzig.")
    told = cli.fine("remember", "We moved to Halle.")
    assert f"It may be in conflict with; both stay until you correct or forget one\n  {id}" in told
    assert "in conflict" not in cli.fine("remember", "I work as a nurse.")


def test_a_correction_keeps_the_id_and_the_history(cli: Cli) -> None:
    id = cli.remembered("Rex is a poodle.", "--subject", "Rex")
    assert cli.fine("correct", id, "Rex is a terrier.").startswith(f"Corrected  {id}")
    told = cli.fine("explain", id)
    assert told.startswith(f"{id}  ")
    assert "believed     yes" in told
    assert "Rex is a poodle. (corrected)" in told
    assert "version 2 stored" in told
    assert [version["version"] for version in cli.data("explain", id)["versions"]] == [2, 1]


def test_a_confirmed_memory_is_trusted_most_and_does_not_fade(cli: Cli) -> None:
    id = cli.remembered("Rex is a poodle.")
    assert "does not fade" in cli.fine("confirm", id)
    record = cli.data("explain", id)["memory"]
    assert (record["trust"], record["fades_at"], record["confidence"]) == ("confirmed", None, 1.0)


def test_a_forgotten_memory_can_be_restored(cli: Cli) -> None:
    id = cli.remembered("Rex is a poodle.")
    assert cli.fine("forget", id).startswith(f"Forgotten  {id}\n")
    assert cli.data("search", "poodle") == []
    assert f"`memory restore {id}`" in " ".join(cli.fine("explain", id).split())
    answer = cli("confirm", id)
    assert (answer.code, answer.err) == (1, f"Error: The memory '{id}' is forgotten; restore it first.\n")
    assert cli.fine("restore", id).startswith(f"Restored  {id}  does not fade\n")
    assert cli.fine("restore", id).startswith("Believed already; `memory history ID`")
    assert len(cli.data("search", "poodle")) == 1


def test_forgetting_names_what_the_memory_had_replaced(cli: Cli) -> None:
    """It is not brought back by itself, because what is forgotten may have been right."""
    rome = cli.remembered("I live in Rome.")
    milan = cli.remembered("I live in Milan.")
    answer = cli.fine("forget", milan)
    assert answer.partition("`memory restore ID` makes valid again\n")[2].startswith(f"  {rome}  ")
    assert cli.data("search", "Where do I live?") == []
    cli.fine("restore", rome)
    assert "makes valid again" not in cli.fine("forget", rome)


@pytest.mark.parametrize("command", [["explain"], ["confirm"], ["forget"], ["restore"], ["correct", "text"]])
def test_an_unknown_id_is_named(cli: Cli, command: list[str]) -> None:
    name, *text = command
    answer = cli(name, "nope1234", *text)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(
        "Error: No memory has the id 'nope1234'; `memory search` finds ids, capitals count, and"
    )
    as_json = cli("--json", name, "nope1234", *text)
    assert (as_json.code, as_json.err) == (1, answer.err)
    assert as_json.json == {"error": {"type": "UnknownMemory", "message": answer.err.removeprefix("Error: ").strip()}}


def test_a_turn_is_explained_but_not_corrected(ann: Cli) -> None:
    [hit] = ann.data("search", "vase", "--limit", "1")
    told = ann.fine("explain", hit["id"])
    assert "what was said does not fade" in told
    assert "session      2026-03-05" in told
    assert ann("correct", hit["id"], "Something else.").code == 1


def test_undecodable_input_is_refused(cli: Cli) -> None:
    """On stdin, on the command line, and in a chat."""
    piped = cli("remember", "-", input="Café".encode("latin-1"))
    assert piped.code == 2
    assert "what comes in on stdin is not UTF-8, at byte 4" in piped.err
    assert cli("remember", "Caf\udce9").code == 2
    chat = process("chat", home=cli.home, stdin=b"Caf\xe9\nMy cat is called Mia.\n")
    assert chat.returncode == 0
    assert b"The message was not taken: it is not UTF-8." in chat.stderr
    assert [hit["content"] for hit in cli.data("search", "")] == ["My cat is called Mia."]


def test_a_memory_can_be_pinned_and_its_importance_changed(cli: Cli) -> None:
    id = cli.remembered("Ann slept badly.", "--importance", "4")
    assert f"Pinned  {id}  does not fade" in cli.fine("pin", id)
    assert "4 of 5, pinned" in cli.fine("explain", id)
    assert cli.data("unpin", id)["pinned"] is False
    assert cli.data("importance", id, "5")["importance"] == 5
    assert "5 of 5" in cli.fine("explain", id)
    assert cli("remember", "Ann slept well.", "--importance", "6").code == 2
    assert cli("pin", "nothing0").code == cli("importance", "nothing0", "1").code == 1


def test_a_person_decides_on_an_agents_conclusion(cli: Cli) -> None:
    """A program stores the conclusion, because no command does."""

    async def conclude(memory: Memory) -> list[str]:
        cities = ("Potsdam", "Werder", "Ketzin")
        return [await memory.remember(f"The user lives in {city}.", source="inferred") for city in cities]

    first, second, third = cli.directly(conclude)
    cli.fine("remember", "The user lives in Berlin.")
    shown = cli.fine("proposals")
    assert "The user lives in Potsdam.\n  instead of: The user lives in Berlin.\n" in shown
    assert "waits for your consent" in shown
    assert "`memory proposals approve ID`" in shown
    assert cli.fine("proposals", "reject", first) == f"Rejected  {first}\n"
    assert f"Approved  {second}" in cli.fine("proposals", "approve", second)
    assert "Phöben" in cli.fine("proposals", "edit", third, "The user lives in Phöben.")
    assert cli.data("proposals") == []
    assert cli.data("profile")["city"]["value"] == "Phöben"
    refused = cli("proposals", "reject", first)
    assert (refused.code, "lists those that do" in refused.err) == (1, True)
