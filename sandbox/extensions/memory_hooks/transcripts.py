"""Read transcripts of coding agents from the last place on: every line is read once, whoever asks for it.

A file for each transcript and user under ``transcripts`` in the home keeps the place and the current prompt, with
secrets masked, because an agent that is killed reports nothing, and may not have written the prompt. The next session
reads the rest.
"""

import asyncio
import json
import os
import re
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import UnknownSession
from sandbox.extensions.memory_hooks.hook_input import ENDS, STOPS
from sandbox.secrets import mask
from sandbox.support import private

_FOLDER = "transcripts"
_SOURCES = {  # by the end of a path; the first that fits
    "/rollout-": "codex",
    "/events.jsonl": "copilot",
    "/session-": "gemini",
    "/chats/": "qwen",
    "/agent-transcripts/": "cursor",
}
_BEFORE = 1 << 16  # bytes before new lines in which calls of tools are looked for
_WRITING = 0.5  # seconds until an agent has written a prompt
_EARLIER = 60  # seconds by which the time of a line may lie before its hook ran
_PART_LASTS = 3600  # seconds
_KEPT = 30 * 86_400  # seconds for which the place in a missing transcript is kept
_LINE = re.compile(rb'"uuid":\s*"([^"]+)"')
_PARENT = re.compile(  # empty for a line that follows none, but for those of subagents and of a compaction
    rb'"parentUuid":\s*(?:"([^"]+)"|null(?!,\s*"(?:isSidechain":\s*true|logicalParentUuid")))'
)
_EVENT = re.compile(rb'"id":\s*"([^"]+)"')  # of Copilot CLI
_PROMPT = "prompt-"  # begins the key of a prompt that an agent did not write
_CALL = re.compile(rb'"(?:tool_use|function_call|tool\.execution_start|functionCall)"')
_TAKES_BACK = re.compile(rb'"(?:thread_rolled_back|\$rewindTo)"')  # lines of Codex and of Gemini CLI


@dataclass(frozen=True, slots=True)
class Transcript:
    """One file, its scope, the number of bytes that were read, and the prompt that is being answered, if any, with its
    time in seconds. It ``is_shared`` if an agent opened it while another one had it open: then it may have two branches
    that go on, and neither was taken back. It ``waits`` if a language model has still to read its turns.
    """

    path: str
    session: str
    user: str
    project: str | None
    is_projects: bool
    read_to: int = 0
    prompt: str | None = None
    prompted_at: float = 0.0
    is_open: bool = False
    is_shared: bool = False
    waits: bool = False

    @property
    def scope(self) -> Scope:
        """The scope of its turns."""
        return Scope(self.user, self.project, visibility="project" if self.is_projects else "user")


class Transcripts:
    """The known transcripts of one home."""

    def __init__(self, home: Path, memory: Memory) -> None:
        self._folder = home / _FOLDER
        self._memory = memory

    def know(self, path: str, session: str, scope: Scope) -> Transcript:
        """The state of a transcript; a new one becomes known. It keeps the project in which it began."""
        if (known := _load(self._file(path, scope.user_id))) is not None:
            return known
        made = Transcript(path, session, scope.user_id, scope.project_id, scope.visibility == "project")
        self._save(made)
        return made

    def opened(self, transcript: Transcript, *, is_open: bool) -> Transcript:
        """Note that an agent opens or closes a transcript."""
        is_shared = transcript.is_shared or (is_open and transcript.is_open)
        noted = replace(transcript, is_open=is_open, is_shared=is_shared)
        self._save(noted)
        return noted

    def prompted(self, transcript: Transcript, prompt: str | None) -> None:
        """Note the prompt that is being answered; None when it was answered."""
        if prompt is None and transcript.prompt is None:
            return
        text = None if prompt is None else mask(prompt).text
        self._save(replace(transcript, prompt=text, prompted_at=time.time()))

    def unread(self) -> list[Transcript]:
        """Transcripts that were not read or not learnt from to their end. A missing one is dropped after a while."""
        for part in self._folder.glob("*.part"):  # of a process that was killed
            if time.time() - part.stat().st_mtime > _PART_LASTS:
                part.unlink(missing_ok=True)
        found = []
        for file in sorted(self._folder.glob("*.json")):
            each = _load(file)
            size = _size(each.path) if each else None
            is_read = each is not None and size in (None, each.read_to) and each.prompt is None
            if each is not None and (each.waits or not is_read):
                found.append(each)
            elif size is None and time.time() - file.stat().st_mtime > _KEPT:
                file.unlink(missing_ok=True)
        return found

    async def take_in(self, transcript: Transcript) -> bool:
        """Store its new lines, and return whether they take turns back: then the whole transcript says which ones."""
        current = _load(self._file(transcript.path, transcript.user)) or transcript
        path = Path(current.path)
        begin, end = await asyncio.to_thread(_new_lines, path, current.read_to)
        if begin == end:
            return False
        is_anew = begin < current.read_to and _source(current.path) == "copilot"
        take_back = begin > 0 and await asyncio.to_thread(_take_back, path, begin, end, is_shared=current.is_shared)
        scope, is_cursor = current.scope, _source(current.path) == "cursor"
        if is_cursor:  # only the name of the file names the conversation
            scope = replace(scope, session_id=current.session)
        begin = 0 if take_back or is_cursor else begin
        part = self._folder / f"{self._file(current.path, current.user).stem}-{os.getpid()}.part"
        try:
            await asyncio.to_thread(_copy, path, part, begin, end)
            if is_anew:
                await self._mark_removed(current, part)
            await self._memory.import_file(part, scope=scope)
        finally:
            part.unlink(missing_ok=True)
        self._save(replace(_load(self._file(current.path, current.user)) or current, read_to=end))
        return take_back or is_anew

    async def _mark_removed(self, transcript: Transcript, part: Path) -> None:
        """Add to a copy of the whole transcript which stored turns are no longer in it."""
        cursor, left = None, set(_EVENT.findall(await asyncio.to_thread(part.read_bytes)))
        with part.open("a", encoding="utf-8") as file:
            while True:
                turns = await self._memory.list(
                    types=["episodic"], session_id=transcript.session, cursor=cursor, scope=transcript.scope
                )
                for key in (each.memory.key or "" for each in turns.items if each.memory.source == "copilot"):
                    if key.encode() not in left and not key.startswith(_PROMPT):
                        event = {"type": "session.event_removed", "data": {"eventId": key}}
                        file.write(json.dumps({**event, "timestamp": None, "parentId": None}) + "\n")
                if (cursor := turns.next) is None:
                    return

    async def take_in_prompt(self, transcript: Transcript) -> None:
        """Store the prompt of an agent that ended before it wrote the prompt."""
        current = _load(self._file(transcript.path, transcript.user)) or transcript
        if current.prompt is None or time.time() - current.prompted_at < _WRITING:
            return
        if not await self._is_stored(current, current.prompt):
            await self._memory.observe(
                "user",
                current.prompt,
                session=current.session,
                at=datetime.fromtimestamp(current.prompted_at, UTC),
                key=f"{_PROMPT}{int(current.prompted_at * 1000)}",
                source=_source(current.path),
                scope=current.scope,
            )
        self.prompted(current, None)

    async def _is_stored(self, transcript: Transcript, prompt: str) -> bool:
        """Whether it was written, and so was stored with the lines of the transcript."""
        since = datetime.fromtimestamp(transcript.prompted_at - _EARLIER, UTC)
        turns = await self._memory.list(
            types=["episodic"], role="user", session_id=transcript.session, after=since, scope=transcript.scope
        )
        said, is_command = " ".join(prompt.split()), prompt.startswith("/")
        stored = [" ".join(each.memory.content.split()) for each in turns.items]
        return any(said in each or (is_command and said.endswith(f" {each}")) for each in stored)

    async def learn(self, transcript: Transcript, event: str) -> None:
        """Learn from the stored turns. A language model is not asked after each turn, but for the conversation: when it
        ends or is shortened, or when the next one starts.
        """
        if event == ENDS:
            await self._memory.end_session(transcript.session, scope=transcript.scope)
        waits = event == STOPS and self._memory.learns_by is not None
        if not waits:
            with suppress(UnknownSession):  # it has no turns
                await self._memory.consolidate(transcript.session, scope=transcript.scope)
        current = _load(self._file(transcript.path, transcript.user)) or transcript
        if waits != current.waits:
            self._save(replace(current, waits=waits))

    def _file(self, path: str, user: str) -> Path:
        named = f"{user}\0{path}".encode(errors="replace")
        return self._folder / f"{sha256(named).hexdigest()[:24]}.json"

    def _save(self, transcript: Transcript) -> None:
        private.make_folder(self._folder)
        private.write_whole(self._file(transcript.path, transcript.user), json.dumps(asdict(transcript)))


def forget_prompts(home: Path, user: str | None, session: str | None) -> None:
    """Delete the prompts that wait to be stored, of one user and session or of all (None). The places stay, because
    the transcripts would be read again from their start.
    """
    for file in (home / _FOLDER).glob("*.json"):
        known = _load(file)
        if known is not None and known.prompt and user in (None, known.user) and session in (None, known.session):
            private.write_whole(file, json.dumps(asdict(replace(known, prompt=None))))


def _source(path: str) -> str:
    end = "/".join(("", *Path(path).parts[-3:]))
    return next((name for mark, name in _SOURCES.items() if mark in end), "claude-code")


def _load(file: Path) -> Transcript | None:
    with suppress(OSError, ValueError, TypeError):
        return Transcript(**json.loads(file.read_text(encoding="utf-8")))
    return None  # it is then read from the start; known turns are not stored twice


def _size(path: str) -> int | None:
    try:
        return Path(path).stat().st_size
    except OSError:
        return None


def _new_lines(path: Path, read_to: int) -> tuple[int, int]:
    """The beginning and the end of the unread whole lines; if the file was written anew, all of its lines."""
    size = _size(str(path)) or 0
    begin = read_to if read_to <= size else 0
    if begin == size:
        return begin, begin
    with path.open("rb") as file:
        if begin > 0:
            file.seek(begin - 1)
            begin = begin if file.read(1) == b"\n" else 0
        at = size
        while at > begin:  # back to the last end of a line; the rest is still being written
            start = max(begin, at - (1 << 16))
            file.seek(start)
            if (found := file.read(at - start).rfind(b"\n")) >= 0:
                return begin, start + found + 1
            at = start
    return begin, begin


def _take_back(path: Path, begin: int, end: int, *, is_shared: bool) -> bool:
    """Whether the lines from ``begin`` to ``end`` take turns back: they say so, or, in a transcript that is not shared,
    one follows a line that a line before them follows as well, or follows none.
    """
    with path.open("rb") as file:
        file.seek(begin)
        new = file.read(end - begin)
        if _TAKES_BACK.search(new):
            return True
        follows = set() if is_shared else set(_PARENT.findall(new)).difference(_LINE.findall(new))
        file.seek(0)
        return bool(follows) and not follows.isdisjoint(_PARENT.findall(file.read(begin)))


def _copy(path: Path, part: Path, begin: int, end: int) -> None:
    """Copy the lines, after the first line of the file, which names the session, and the last calls of tools before
    them, whose results may come now.
    """
    private.make_file(part)
    with path.open("rb") as source, part.open("wb") as target:
        if begin > 0:
            target.write(source.readline())
            source.seek(max(source.tell(), begin - _BEFORE) - 1)
            _, *before = source.read(begin - source.tell()).splitlines(keepends=True)
            target.writelines(filter(_CALL.search, before))
        source.seek(begin)
        left = end - begin
        while left > 0 and (block := source.read(min(left, 1 << 20))):
            target.write(block)
            left -= len(block)
