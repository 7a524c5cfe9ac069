"""`import` stores everything readable, once, and names what is broken."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

from sandbox.extensions.memory import Scope
from tests.cli.conftest import TURNS, Cli, lines, turn


def test_an_import_returns_after_all_turns_are_embedded_and_sums_up(cli: Cli, talk: Path) -> None:
    outcome = cli.data("import", str(talk))
    assert outcome == {
        "files": [
            {
                "file": str(talk),
                "format": "chat messages",
                "new": 4,
                "known": 0,
                "masked": 0,
                "broken": [],
                "erased": 0,
                "left_out": [],
                "changed": 0,
                "forgotten": 0,
                "projects": {},
                "taken_back": [],
            }
        ],
        "embedded": True,
        "waiting": 3,
        "proposed": 0,
    }
    statistics = cli.data("stats")
    assert (statistics["vectors"], statistics["embedding_backlog"]) == (4, 0)
    assert statistics["nodes"] == {"episodic": 4}
    again = cli.fine("import", str(talk))
    assert "chat messages" in again
    assert "0 new, 4 known already, 0 with a secret masked" in again


def test_messages_that_were_changed_since_are_counted(cli: Cli, tmp_path: Path) -> None:
    for text in ("My cat is called Mia.", "My cat is called Leo."):
        said = {"role": "user", "content": text, "session": "monday", "key": "m-1"}
        answer = cli.fine("import", str(lines(tmp_path / "a.jsonl", [said])))
    assert "1 known record has another text in this file; the stored text stays" in answer


def test_secrets_are_counted_and_not_stored(cli: Cli, tmp_path: Path) -> None:
    said = [turn("2026-03-05", "Ann", "user: ann password: tomato-Ladder-42"), turn(*TURNS[0])]
    assert "1 with a secret masked" in cli.fine("import", str(lines(tmp_path / "a.jsonl", said)))
    assert "tomato" not in cli.fine("search", "password", "--json")


def test_broken_records_are_named_and_the_rest_is_imported(cli: Cli, tmp_path: Path) -> None:
    records = [turn(*TURNS[0]), "{broken", turn(*TURNS[1]), {"role": "robot", "content": "x"}]
    answer = cli("import", str(lines(tmp_path / "a.jsonl", records)))
    assert answer.code == 1
    assert "2 new" in answer.out
    assert "2 broken records left out:" in answer.out
    assert "line 2" in answer.out
    assert "line 4" in answer.out
    assert answer.err == "Error: 2 broken records were left out; everything else is stored.\n"
    assert len(cli("import", str(tmp_path / "a.jsonl"), "--json").json["files"][0]["broken"]) == 2


def test_only_the_first_ten_broken_records_are_shown(cli: Cli, tmp_path: Path) -> None:
    records = [turn(*each) for each in TURNS] * 5 + ["{broken"] * 13
    answer = cli("import", str(lines(tmp_path / "a.jsonl", records)))
    assert "line 30" in answer.out
    assert "line 31" not in answer.out
    assert "and 3 more" in answer.out


def test_an_unreadable_file_does_not_stop_the_others(cli: Cli, talk: Path, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.jsonl")
    answer = cli("import", missing, str(talk))
    assert answer.code == 1
    assert "4 new" in answer.out
    assert answer.err == f"Error: {missing} cannot be imported: there is no such file.\n"
    plain = cli("import", missing, str(talk), "--json").json
    assert plain["error"]["type"] == "UnreadableImport"
    assert [sorted(each) for each in plain["files"]] == [
        ["error", "file"],
        [
            "broken",
            "changed",
            "erased",
            "file",
            "forgotten",
            "format",
            "known",
            "left_out",
            "masked",
            "new",
            "projects",
            "taken_back",
        ],
    ]


def test_a_folder_without_known_formats_is_reported(cli: Cli, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations.json", "[]")
    assert "nothing in it is of a known format; known are" in cli("import", str(tmp_path / "export.zip")).err
    for stream in ("-", "/dev/null"):
        assert "it is not a file; save in one what comes from it" in cli("import", stream).err


def test_a_folder_is_imported_and_skipped_files_are_named(cli: Cli, talk: Path, tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    talk.rename(tmp_path / "all" / "talk.jsonl")
    (tmp_path / "all" / "Rye.md").write_text("Rye needs no kneading.")
    (tmp_path / "all" / "oven.png").write_bytes(b"\x89PNG")
    (tmp_path / "all" / "old.md").write_bytes("Café".encode("latin-1"))
    answer = cli("import", str(tmp_path / "all"))
    assert answer.code == 1
    assert "5 new" in answer.out
    assert "1 file of no known format left out: oven.png" in answer.out
    assert "old.md" in answer.out
    assert "line 1 is not UTF-8" in answer.out
    assert cli.data("search", "kneading")[0]["content"] == "Rye needs no kneading."
    assert cli("import", str(tmp_path / "all"), "--json").json["files"][0]["known"] == 5


def test_erased_turns_are_skipped_and_the_way_back_is_named(ann: Cli, talk: Path) -> None:
    ann.directly(lambda memory: memory.erase(session="2026-03-05"))
    shown = ann.fine("import", str(talk))
    assert "0 new, 2 known already" in shown
    assert "2 records were erased before and left out; with --erased they come back" in shown
    assert "2 new, 2 known already" in ann.fine("import", "--erased", str(talk))


def test_what_was_forgotten_stays_so_and_the_way_back_is_named(ann: Cli, talk: Path, tmp_path: Path) -> None:
    """A turn of a file, a memory of a table, and those of a backup."""
    table, backup = tmp_path / "table.csv", tmp_path / "backup.jsonl"
    table.write_text("memory\nAnn keeps bees.\n")
    ann.fine("import", str(table))
    ann.fine("export", str(backup))
    for question in ("vase", "bees"):
        ann.fine("forget", ann.data("search", question, "--limit", "1")[0]["id"])
    shown = ann.fine("import", str(talk), str(table), str(backup))
    assert shown.count("1 known record stays forgotten; `memory restore ID` brings one back") == 2
    assert shown.count("2 known records stay forgotten") == 1


def test_messages_without_a_conversation_form_one_named_after_the_file(cli: Cli, tmp_path: Path) -> None:
    """The memory learns from that conversation, names it and can erase it; lines that are added to the file later
    continue it.
    """
    said = [{"role": "user", "content": "I live in Berlin."}, {"role": "assistant", "content": "Since when?"}]
    file = lines(tmp_path / "diary.jsonl", said)
    assert "1 conversation waits to be learnt from; `memory end` does that.\n" in cli.fine("import", str(file))
    assert "Berlin" in cli.fine("end")
    assert "`memory end`" not in cli.fine("import", str(file))
    session = cli.data("search", "Since when?", "--limit", "1")[0]["session"]
    assert session.startswith("diary-")
    file = lines(tmp_path / "diary.jsonl", [*said, {"role": "user", "content": "I play the violin."}])
    assert "1 new, 2 known already" in cli.fine("import", str(file))
    assert cli.data("stats")["sessions"] == 1
    assert "violin" in cli.fine("end")
    assert cli.data("erase", "--session", session, "--yes")["turns"] == 3


def test_what_was_learnt_and_has_ended_in_one_run_is_counted_and_not_listed(cli: Cli, tmp_path: Path) -> None:
    told = [("2025-03-02", "I live in Boston. My dog is called Rex."), ("2026-03-02", "We moved to Denver last month.")]
    said = [{"role": "user", "content": text, "timestamp": day, "session": day} for day, text in told]
    cli.fine("import", str(lines(tmp_path / "talk.jsonl", said)))
    shown = cli.fine("end")
    assert "Rex" in shown
    assert "Denver" in shown
    assert "Boston" not in shown
    assert "1 more was learnt and no longer holds" in shown
    assert "No longer holds\n" not in shown


def test_what_ends_on_a_coming_day_is_told_with_that_day(cli: Cli, tmp_path: Path) -> None:
    coming = (datetime.now(UTC) + timedelta(days=60)).strftime("%d %B %Y")
    for number, text in enumerate(("I live in Boston.", f"I will move to Denver on {coming}.", "Thanks!")):
        cli.fine("import", str(lines(tmp_path / f"{number}.jsonl", [{"role": "user", "content": text}])))
        shown = cli.fine("end")
        if number == 1:
            assert "No longer holds" not in shown
            ends = shown.split("Will no longer hold\n")[1].split("\n\n")[0]
            assert "The user lives in Boston. (true until " in " ".join(ends.split())
    assert "Nothing was learnt; `memory search` finds what was said" in shown


def test_two_files_with_the_same_name_make_two_conversations(cli: Cli, tmp_path: Path) -> None:
    for folder, said in (("a", "I live in Berlin."), ("b", "I live in Rome.")):
        (tmp_path / folder).mkdir()
        cli.fine("import", str(lines(tmp_path / folder / "chat.jsonl", [{"role": "user", "content": said}])))
    assert cli.data("stats")["sessions"] == 2


def test_a_named_conversation_keeps_its_name(cli: Cli, tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", [turn(*TURNS[0]), {"role": "user", "content": "Hello."}])
    cli.directly(lambda memory: memory.import_file(file, scope=Scope(session_id="mine")))
    assert {hit["session"] for hit in cli.data("search", "")} == {TURNS[0][0], "mine"}


def test_a_file_in_another_encoding_is_read_only_if_that_is_named(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes('{"role": "user", "content": "Café crème"}\n'.encode("latin-1"))
    refused = cli("import", str(path))
    assert (refused.code, refused.out) == (1, "")
    assert "old.jsonl cannot be imported: line 1 is not UTF-8, at byte 33 of the file; say which" in refused.err
    assert cli("import", str(path), "--json").json["error"]["type"] == "UnreadableImport"
    wrong = cli("import", str(path), "--encoding", "klingon")
    assert wrong.code == 2
    assert "`--encoding` cannot be 'klingon': name one that Python knows" in wrong.err
    cli.fine("import", str(path), "--encoding", "latin-1")
    assert [hit["content"] for hit in cli.data("search", "crème")] == ["Café crème"]


def test_an_import_says_that_statements_wait_for_consent(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("memory,about\nThe user lives in Oslo.,The user\n", encoding="utf-8")
    told = cli.fine("import", str(tmp_path / "notes.csv"), "--trust", "assistant")
    assert "1 statement waits for your consent; `memory proposals`" in told
    cli.fine("import", str(lines(tmp_path / "talk.jsonl", [{"role": "user", "content": "Thanks!"}])))
    assert "1 statement waits for your consent; `memory proposals`" in cli.fine("end")


def test_a_file_of_another_person_is_trusted_less(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("memory\nAnn likes rye bread.\n")
    cli.fine("import", str(tmp_path / "notes.csv"), "--trust", "tool")
    assert [each["memory"]["content"] for each in cli.data("list", "--trust", "tool")["items"]] == [
        "Ann likes rye bread."
    ]
    assert "trust" in cli("import", str(tmp_path / "notes.csv"), "--trust", "boss").err
