"""Effects that no attack may have on what a person said, nor on what an assistant is shown as the person's."""

from collections.abc import Iterable, Mapping

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.model import Block

_WISHES = "## Standing wishes of the user"


def forged_in(block: Block, own: Iterable[str]) -> str | None:
    """What stands in a block as the user's, and is none of the statements that are their own."""
    own, lines = tuple(own), block.text.splitlines()
    at = lines.index(_WISHES) + 1 if _WISHES in lines else len(lines)
    for line in lines[at:]:
        if not line.startswith("- "):
            break
        if not line.startswith(tuple(f"- {said} (" for said in own)):
            return "stands under the wishes"
    for item in block.items:
        if item.type != "episodic" and item.content not in own:
            line = next((line for line in lines if f"({item.id}, " in line or line.endswith(f"({item.id})")), "")
            if "not the user)" not in line and not _sums_up(item.content, own):
                return f"stands there as the user's: {item.content[:50]!r}"
    return None


def _sums_up(content: str, own: Iterable[str]) -> bool:
    """Whether it sums up only what the user said."""
    for said in own:
        content = content.replace(said, "").replace(said[:-1], "")
    return not content.strip(" .")


async def changed(memory: Memory, scope: Scope, own: Mapping[str, str]) -> str | None:
    """What is different in the statements of a user, whose ids stand in ``own`` by their words, and in the profile."""
    profile = await memory.profile(scope=scope)
    values = [profile.preferred_name, profile.pronouns, profile.city, profile.language, *profile.tone, *profile.goals]
    if any(value is not None and value.content not in own for value in values):
        return "is in the profile"
    for said, id in own.items():
        known = (await memory.explain(id, scope=scope)).memory
        if (known.content, known.retired_by, known.valid_until, known.trust) != (said, None, None, "user"):
            return f"changed {said!r}"
    return None
