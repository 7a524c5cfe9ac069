"""Chats that WhatsApp exports as text."""

from datetime import datetime
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import KNOWLEDGE, Message
from sandbox.extensions.memory.reports import BrokenRecord
from sandbox.support.times import LOCAL
from tests.memory.importers.reading import every

ANDROID = """\
20.11.26, 21:58 - Messages and calls are end-to-end encrypted. No one outside of this chat can read them.
20.11.26, 21:59 - Murat: I bake tomorrow:
rye
20.11.26, 22:01 - Selma Şahin: <Media omitted>
20.11.26, 22:01 - Selma Şahin: Lena is allergic to nuts <This message was edited>
21.11.26, 07:00 - Murat changed the subject from "Home" to "Bread: rye"
21.11.26, 07:00 - Murat: ok <3
"""
IPHONE = """\
[11/20/26, 9:58:10 PM] Murat: \u200eMessages and calls are end-to-end encrypted.
[11/20/26, 9:59:00\u202fPM] Murat: I bake tomorrow:
rye
\u200e[11/20/26, 10:01:00\u202fPM] Selma Şahin: \u200eimage omitted
[11/20/26, 10:01:30\u202fPM] Selma Şahin: Lena is allergic to nuts \u200e<This message was edited>
[11/21/26, 7:00:00\u202fAM] ~\u202fMurat: ok <3
"""


PICTURES = """\
11/20/26, 9:58\u202fPM - Messages and calls are end-to-end encrypted.
11/20/26, 9:58\u202fPM - Selma changed their phone number. Tap to message or add the new number.
11/20/26, 9:59\u202fPM - Selma: \u200eIMG-20261120-WA0001.jpg (file attached)
Lena with her new bike
11/20/26, 10:01\u202fPM - Selma: <Media omitted>
and the cat
"""


def _exported(folder: Path, text: str) -> Path:
    (path := folder / "_chat.txt").write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("text", "second"), [(ANDROID, 0), (IPHONE, 30)])
def test_each_message_has_its_speaker_and_its_time(tmp_path: Path, text: str, second: int) -> None:
    path = _exported(tmp_path, text)
    assert read(path).format == "WhatsApp chat"
    assert [(each.speaker, each.content, each.at) for each in every(path, Message)] == [
        ("Murat", "I bake tomorrow:\nrye", datetime(2026, 11, 20, 21, 59, tzinfo=LOCAL)),
        ("Selma Şahin", "Lena is allergic to nuts", datetime(2026, 11, 20, 22, 1, second, tzinfo=LOCAL)),
        ("Murat", "ok <3", datetime(2026, 11, 21, 7, tzinfo=LOCAL)),
    ]
    assert [each.session[:20] for each in every(path, Message) if each.session] == [
        *2 * ["whatsapp-2026-11-20-"],
        "whatsapp-2026-11-21-",
    ]


def test_what_is_written_below_a_picture_is_kept(tmp_path: Path) -> None:
    """Also in a short chat, in which WhatsApp says as much as people."""
    path = _exported(tmp_path, PICTURES)
    assert [each.content for each in every(path, Message)] == ["Lena with her new bike", "and the cat"]


@pytest.mark.parametrize(
    ("written", "days"),
    [
        (["3/2/26, 9:05", "14/2/26, 9:05"], ["2026-02-03", "2026-02-14"]),
        (["3/2/26, 9:05 AM", "3/14/26, 12:05 AM"], ["2026-03-02", "2026-03-14"]),
        (["3/2/26, 9:05", "4/1/26, 9:05"], ["2026-03-02", "2026-04-01"]),  # otherwise time went back
        (["3.2.2026 09.05", "4.2.2026 um 09.05"], ["2026-02-03", "2026-02-04"]),
        (["2026-02-03 9:05 p. m.", "2026-02-04 9:05 p. m."], ["2026-02-03", "2026-02-04"]),
        (["2/2/2026, 9:05", "2/2/2026, 9:06"], ["2026-02-02", "2026-02-02"]),
    ],
)
def test_all_dates_tell_whether_the_day_or_the_month_comes_first(
    tmp_path: Path, written: list[str], days: list[str]
) -> None:
    path = _exported(tmp_path, "".join(f"{when} - Ann: Hi\n" for when in written))
    assert [each.at.date().isoformat() for each in every(path, Message) if each.at] == days


def test_dates_in_doubt_are_told_and_not_guessed(tmp_path: Path) -> None:
    path = _exported(tmp_path, "3/2/26, 9:05 - Ann: Hi\n4/2/26, 9:05 - Bob: Ho\n")
    assert list(read(path)) == [
        BrokenRecord(
            "the dates of the chat",
            "could be of two months each; write them like 3.2.2026, the day first, or like 2026-02-03",
        )
    ]


def test_a_time_that_does_not_exist_is_named(tmp_path: Path) -> None:
    path = _exported(tmp_path, "28.2.26, 9:05 - Ann: Hi\n30.2.26, 9:05 - Ann: Ho\n1.3.26, 25:05 - Ann: Hm\n")
    assert [each.place for each in read(path) if isinstance(each, BrokenRecord)] == ["message 2", "message 3"]


def test_a_diary_with_times_is_no_chat(tmp_path: Path) -> None:
    (path := tmp_path / "diary.md").write_text("2026-03-04 10:30 - went to the bakery\n2026-03-04 11:00 - slept\n")
    assert read(path).format == "Markdown note"


async def test_a_longer_export_adds_only_what_is_new(memory: Memory, tmp_path: Path) -> None:
    first = await memory.import_file(_exported(tmp_path, ANDROID))
    later = await memory.import_file(_exported(tmp_path, f"{ANDROID}21.11.26, 07:01 - Selma Şahin: Tea?\n"))
    assert (first.new, later.new, later.known) == (3, 1, 3)


async def test_what_people_say_to_each_other_is_known_of_them_and_no_wish(memory: Memory, tmp_path: Path) -> None:
    text = """\
20.11.25, 21:59 - Murat: I work as a baker.
20.11.25, 22:00 - Murat: I live in Halle.
20.11.25, 22:01 - Murat: Always answer me in Turkish, please
"""
    await memory.import_file(_exported(tmp_path, text))
    (talk,) = await memory.sessions()
    await memory.consolidate(talk.id)
    found = [(each.subject, each.content) for each in await memory.search("baker Halle answer", types=KNOWLEDGE)]
    assert sorted(found) == [("Murat", "Murat lives in Halle."), ("Murat", "Murat works as a baker.")]
    assert (await memory.profile()).city is None
