"""The known formats: those of records, and those of texts by their endings."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sandbox.extensions.memory.ingest.importers import (
    chat_api,
    chat_messages,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    copilot,
    cursor,
    gemini,
    knowledge_graph,
    mem0,
    memories,
    notes,
    tables,
)
from sandbox.extensions.memory.ingest.importers.files import TextFile
from sandbox.extensions.memory.ingest.importers.records import Entry, Item, JsonRecord, each

Texts = Callable[[TextFile], tuple[str, Callable[[], Iterator[Item]]]]
"""The name of a text's format, and a function that gives its items. Raises ``Unknown``."""

TEXTS: Mapping[str, Texts] = {
    ".md": notes.read,
    ".markdown": notes.read,
    ".txt": notes.read,
    ".csv": tables.read,
    ".tsv": tables.read,
}
BESIDE = frozenset(
    "assets.json chat.html group_chats.json message_feedback.json model_comparisons.json shared_conversations.json"
    " shopping.json sora.json user.json users.json".split()
)
"""Files of the exports of ChatGPT and Claude without conversations of their own."""

UPLOADED = re.compile(r"file[-_](?=[A-Za-z]*\d)[0-9A-Za-z]{20,}[-.]")
"""The beginning of the name of a file that the user showed ChatGPT, in an export: its id, and its own name."""

_WRAPPERS = ("results", "memories", "history", "conversations")  # mem0, ChatGPT's memories, Gemini CLI's checkpoints


@dataclass(frozen=True, slots=True)
class Format:
    """A format of records."""

    name: str
    noun: str  # the word for a record in messages about a broken one
    recognises: Callable[[JsonRecord], bool]
    read: Callable[[Iterable[Entry]], Iterator[Item]]


FORMATS = (
    Format("ChatGPT export", "conversation", chatgpt.recognises, chatgpt.read),
    Format("ChatGPT memories", "memory", chatgpt.recognises_memories, each(chatgpt.read_memories)),
    Format("Claude.ai export", "conversation", claude_ai.recognises, each(claude_ai.read)),
    Format("Claude.ai memories", "memory", claude_ai.recognises_memories, each(claude_ai.read_memories)),
    Format("Claude.ai projects", "project", claude_ai.recognises_project, each(claude_ai.read_project)),
    Format("Qwen Code transcript", "line", gemini.recognises_qwen, gemini.read_qwen),
    Format("Claude Code transcript", "line", claude_code.recognises, claude_code.read),
    Format("Copilot session", "line", copilot.recognises, copilot.read),
    Format("Cursor transcript", "line", cursor.recognises, each(cursor.read)),
    Format("Gemini CLI session", "record", gemini.recognises, gemini.read),
    Format("Gemini CLI checkpoint", "message", gemini.recognises_checkpoint, each(gemini.read_checkpoint)),
    Format("mem0 memories", "memory", mem0.recognises, mem0.read),
    Format("knowledge graph of the MCP memory server", "line", knowledge_graph.recognises, each(knowledge_graph.read)),
    Format("memories.jsonl", "memory", memories.recognises, each(memories.read)),
    Format("conversations with messages", "conversation", chat_api.recognises, each(chat_api.read)),
    Format("chat messages", "message", chat_messages.recognises, each(chat_messages.read)),
    Format("Codex rollout", "line", codex.recognises, codex.read),  # bare lines of it look like chat messages, too
)


def unwrapped(value: object) -> list[object] | None:
    """The records of a document that holds them under a name; None if the document is a record itself."""
    if not isinstance(value, dict):
        return None
    for name in _WRAPPERS:
        if isinstance(inner := value.get(name), list):
            return [*inner, *JsonRecord(value).array("relations")]
    if isinstance(value.get("entities"), list) and isinstance(value.get("relations"), list):
        return [*value["entities"], *value["relations"]]
    return None


def known() -> str:
    """``known are A, B and C``."""
    names = [*(format_.name for format_ in FORMATS), "WhatsApp chat (.txt)", "Markdown notes (.md)"]
    return f"known are {', '.join(names)} and tables with named columns (.csv)"
