"""Answer a prompt at once, by words alone, while the process that keeps the memory open starts."""

from pathlib import Path
from typing import Any, cast, get_args

from sandbox.errors import SandboxError
from sandbox.extensions.memory import quick_context
from sandbox.extensions.memory.model import AcrossProjects
from sandbox.extensions.memory.quick_context import scope_in
from sandbox.extensions.memory_hooks.client import CONFIG
from sandbox.extensions.memory_hooks.hook_input import PROMPT, HookInput

_LONGEST = 6_000  # bytes; less than an open memory would show


def answer(home: Path, question: dict[str, Any]) -> str | None:
    """The text for stdout. None if only an open memory can answer, or the memory cannot be read."""
    across = _across_projects(home)
    if question["event"] != PROMPT or across is None:
        return None
    given = HookInput.read(question)
    if not given.prompt.strip():
        return None
    scope = scope_in(given.folder, across, home, user_id=given.user, project_id=given.project)
    block = quick_context.block(home, given.prompt, scope, session=given.session, longest=_LONGEST)
    return None if block is None else given.answer(block)


def _across_projects(home: Path) -> AcrossProjects | None:
    """The setting ``across_projects``. None if other settings of the memory change the answer, or if the file is
    invalid; opening the memory reports that.
    """
    if not (home / CONFIG).exists():
        return "own"
    from sandbox.settings import read_settings

    try:
        section = read_settings(home / CONFIG).sections.get("memory") or {}
    except SandboxError:
        return None
    if not isinstance(section, dict):
        return None
    across = section.get("across_projects", "own")
    is_all = section.keys() <= {"across_projects"} and across in get_args(AcrossProjects)
    return cast("AcrossProjects", across) if is_all else None
