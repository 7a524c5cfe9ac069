"""Tables with named columns, and conversations in the format of chat APIs."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import UnreadableImport
from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message, Statement
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import every, some


def table(folder: Path, content: bytes | str, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_table_of_messages_is_read(tmp_path: Path) -> None:
    text = "Date,Sender,Message,Conversation,Mood\n"
    text += '2025-03-04T10:00:00Z,Me,"Rye, please\nand wheat",c-1,ok\n\n,bot,Yes.,c-1,\n'
    at = datetime(2025, 3, 4, 10, tzinfo=UTC)
    told = [(item.role, item.content, item.session, item.at) for item in every(table(tmp_path, text), Message)]
    assert told == [("user", "Rye, please\nand wheat", "c-1", at), ("assistant", "Yes.", "c-1", None)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name;text\nAyşe;Ich bin schwanger.", [("user", "Ayşe", "Ich bin schwanger.")]),
        ("Speaker,Content\nme,Rye?\nBot,Yes.", [("user", None, "Rye?"), ("assistant", None, "Yes.")]),
        ("sender,message\nAnn,Rye?\nAI,Yes.", [("user", "Ann", "Rye?"), ("assistant", None, "Yes.")]),
        ("from;name;text\nbot;Rita;Yes.\nuser;Ann;Rye?", [("assistant", "Rita", "Yes."), ("user", "Ann", "Rye?")]),
        ("role,author,text\nassistant,Rita,Yes.\nuser,,Rye?", [("assistant", "Rita", "Yes."), ("user", None, "Rye?")]),
    ],
)
def test_a_table_that_names_its_speakers_is_one_of_messages(
    text: str, told: list[tuple[str, str | None, str]], tmp_path: Path
) -> None:
    found = every(table(tmp_path, text), Message)
    assert [(item.role, item.speaker, item.content) for item in found] == told


async def test_what_a_table_says_of_its_speaker_is_not_about_the_user(memory: Memory, tmp_path: Path) -> None:
    await memory.observe("user", "I work at Bosch.", speaker="Mark", session="s")
    await memory.consolidate("s")
    path = table(tmp_path, "name;text;date;thread\nAyşe;Ich bin schwanger.;2026-03-01;t\n;Ich arbeite bei Aldi.;;t\n")
    report = await memory.import_file(path)
    (nobody,) = report.broken
    assert (nobody.place, nobody.problem) == ("line 3", "has no role")
    await memory.consolidate("t")
    known = [hit.content for hit in await memory.search("schwanger Bosch", types=["semantic"])]
    assert sorted(known) == ["Ayşe ist schwanger.", "Mark works at Bosch."]


@pytest.mark.parametrize(("sign", "name"), [(",", "a.csv"), (";", "a.csv"), ("\t", "a.tsv")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_of_memories_is_read(sign: str, name: str, encoding: str, tmp_path: Path) -> None:
    rows = [["id", "memory", "category", "tags", "about"], ["1", "Crème fraîche", "Preference", "food", "Ines"]]
    (told,) = every(table(tmp_path, "\n".join(sign.join(row) for row in rows).encode(encoding), name), Statement)
    assert (told.content, told.category, told.subject) == ("Crème fraîche", "preference", "Ines")
    assert told.tags == ("food",)


async def test_a_row_that_has_another_text_now_is_counted_as_changed(tmp_path: Path) -> None:
    before, now = "key,memory\n1,Ann likes rye\n2,Ann has bees\n", "key,memory\n1,Ann likes spelt\n2,Ann has bees\n"
    async with Memory.open(tmp_path, embedder=None) as memory:
        await memory.import_file(table(tmp_path, before))
        report = await memory.import_file(table(tmp_path, now))
        assert (report.new, report.known, report.changed) == (0, 2, 1)
        assert {hit.content for hit in await memory.search("Ann")} == {"Ann likes rye", "Ann has bees"}


def test_an_unknown_category_becomes_fact(tmp_path: Path) -> None:
    (told,) = every(table(tmp_path, "text,type\nRye,bread\n"), Statement)
    assert told.category == "fact"


def test_broken_rows_are_named_by_their_lines(tmp_path: Path) -> None:
    path = table(tmp_path, "role,content,timestamp\nuser,Rye,\nrobot,x,\nuser,,\nuser,y,never\nuser\n")
    assert [(item.place, item.problem) for item in some(path, BrokenRecord)] == [
        ("line 3", "its role is none of user, assistant, system, tool"),
        ("line 4", "has no text"),
        ("line 5", "its timestamp is not a time like 2026-03-02 or 2026-03-02T18:30"),
        ("line 6", "has no text"),
    ]


@pytest.mark.parametrize(
    ("dates", "read_as"),
    [
        (["01.03.2026", "1.3.2026"], ["03-01", "03-01"]),
        (["2026/3/1", "2026.03.01"], ["03-01", "03-01"]),
        (["01/03/2026", "13/03/2026"], ["03-01", "03-13"]),
        (["01/03/2026", "3/13/2026"], ["01-03", "03-13"]),
        (["01-03-2026", "13-03-2026"], ["03-01", "03-13"]),
        (["01/03/2026", "02/04/2026", "3/3/2026"], [None, None, "03-03"]),
        (["01/03/2026", "13/03/2026", "3/13/2026"], [None, "03-13", "03-13"]),
        (["13/13/2026", "30/02/2026"], [None, None]),
    ],
)
def test_a_whole_column_tells_the_order_of_its_dates(
    dates: list[str], read_as: list[str | None], tmp_path: Path
) -> None:
    path = table(tmp_path, "text;date\n" + "".join(f"Rye {number};{date}\n" for number, date in enumerate(dates)))
    found = [f"{item.at:%m-%d}" if isinstance(item, Statement) and item.at else None for item in read(path)]
    assert found == read_as


async def test_two_tables_may_number_their_rows_alike(memory: Memory, tmp_path: Path) -> None:
    await memory.import_file(table(tmp_path, "id,text\n1,Ann plays the violin.\n", "people.csv"))
    await memory.import_file(table(tmp_path, "id,text\n1,The oven is in Potsdam.\n", "places.csv"))
    assert (await memory.list()).total == 2


def test_a_date_may_have_an_hour(tmp_path: Path) -> None:
    rows = ["Rye,13.3.2026 9:30", "Wheat,3/13/2026 18:30:05", 'Oats,"13.03.2026, 10:30"', "Spelt,1773397800"]
    path = table(tmp_path, "text,date\n" + "\n".join(rows))
    assert [item.at for item in every(path, Statement)] == [
        datetime(2026, 3, 13, 9, 30, tzinfo=UTC),
        datetime(2026, 3, 13, 18, 30, 5, tzinfo=UTC),
        datetime(2026, 3, 13, 10, 30, tzinfo=UTC),
        datetime(2026, 3, 13, 10, 30, tzinfo=UTC),
    ]


def test_a_date_of_two_meanings_is_refused(tmp_path: Path) -> None:
    (refused,) = some(table(tmp_path, "text,date\nRye,1/3/2026\n"), BrokenRecord)
    assert refused.problem == "its timestamp could be of two months; write it like 2026-03-02"


def test_a_table_without_content_lists_the_known_columns(tmp_path: Path) -> None:
    with pytest.raises(UnreadableImport, match="no column holds the text; name one of its columns content, text"):
        read(table(tmp_path, "a,b\n1,2\n"))


def test_a_table_of_another_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableImport, match="line 2 is not UTF-8, at byte 12"):
        read(table(tmp_path, "content\nCafé\n".encode("cp1252")))


MESSAGES = [
    {"role": "system", "content": "You are a baker."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Rye?"}, {"type": "image_url", "image_url": {"url": "data:x"}}],
    },
    {"role": "assistant", "content": None, "tool_calls": [{"id": "t", "function": {"name": "look"}}]},
    {"role": "tool", "tool_call_id": "t", "content": "Rye is a grain"},
    {"role": "assistant", "content": "Yes.", "created_at": 1_700_000_000},
]


def test_the_shown_branch_of_a_chat_of_open_webui_is_read(json_file: Callable[..., Path]) -> None:
    thought = (
        '<details type="reasoning" done="true" duration="2">\n<summary>Thought</summary>\n> Hm.\n</details>\nAn hour.'
    )
    tree = {
        "u1": {"id": "u1", "parentId": None, "role": "user", "content": "How long?", "timestamp": 1_760_000_000},
        "a1": {"id": "a1", "parentId": "u1", "role": "assistant", "content": "A day.", "timestamp": 1_760_000_001},
        "a2": {"id": "a2", "parentId": "u1", "role": "assistant", "content": thought, "timestamp": 1_760_000_002},
    }
    chat = {"id": "", "messages": [tree["u1"]], "history": {"currentId": "a2", "messages": tree}}
    asked, answered = every(
        json_file([{"id": "c1", "title": "Rye", "created_at": 1_760_000_000, "chat": chat}]), Message
    )
    assert (asked.role, asked.content, asked.session) == ("user", "How long?", "c1")
    assert (answered.content, answered.at) == ("An hour.", datetime.fromtimestamp(1_760_000_002, UTC))


def test_the_thoughts_of_an_answer_are_left_out(json_file: Callable[..., Path]) -> None:
    answer = {"role": "assistant", "content": "<think>\nHm.\n</think>\n\nAn hour."}
    asked = {"role": "user", "content": "What does <think>x</think> do?"}
    assert [each.content for each in every(json_file({"messages": [asked, answer]}), Message)] == [
        "What does <think>x</think> do?",
        "An hour.",
    ]


def test_a_conversation_of_messages_is_read(json_file: Callable[..., Path]) -> None:
    path = json_file({"messages": MESSAGES, "model": "gpt-5", "id": "chat-1"})
    items = every(path, Message)
    assert read(path).format == "conversations with messages"
    assert [(item.role, item.content, item.session) for item in items] == [
        ("user", "Rye?", "chat-1"),
        ("assistant", "Yes.", "chat-1"),
    ]
    assert items[1].at == datetime.fromtimestamp(1_700_000_000, UTC)


def test_conversations_without_names_are_several(jsonl_file: Callable[..., Path]) -> None:
    """One on each line, two with the same beginning; one that grows keeps its name."""
    other = [{"role": "user", "content": "Wheat?"}]
    path = jsonl_file({"messages": MESSAGES}, {"messages": MESSAGES[:2]}, {"messages": other})
    sessions = [item.session for item in every(path, Message)]
    assert len(set(sessions)) == 3
    grown = jsonl_file({"messages": [*other, {"role": "assistant", "content": "No."}]})
    assert {item.session for item in every(grown, Message)} == {sessions[-1]}


def test_a_broken_message_leaves_the_others(json_file: Callable[..., Path]) -> None:
    broken = some(json_file({"messages": [*MESSAGES, 5, {"role": "user", "content": 7}]}), BrokenRecord)
    assert [item.place for item in broken] == ["conversation 1, message 6", "conversation 1, message 7"]
