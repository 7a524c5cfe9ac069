"""The origin of a memory, in words for people."""

from sandbox.extensions.memory.model import Hit, Record
from sandbox.extensions.memory.profile import ProfileValue
from sandbox.support.trust import Trust

_BY: dict[Trust, str] = {"web": "by a page of the web", "tool": "by a tool", "assistant": "by the assistant"}


def origin(memory: Hit | Record | ProfileValue) -> str:
    """``from 20260302-0930-5d2f7a, by a tool``: the conversation, and the speaker if that is not the user."""
    where = f"from {memory.session}" if memory.session else "told directly"
    return ", ".join(filter(None, [where, _BY.get(memory.trust)]))
