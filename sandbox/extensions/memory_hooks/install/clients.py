"""The files of each program that name the memory: for its MCP server, and in coding agents for hooks."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from platformdirs import user_config_path

from sandbox.extensions.memory_hooks.hook_input import COMPACTS, ENDS, PROMPT, STARTS, STOPS
from sandbox.extensions.memory_hooks.install import jsonc

Client = Literal["claude-code", "codex", "copilot", "cursor", "vscode", "gemini", "qwen"]
CLIENTS: Sequence[str] = get_args(Client)

NAME = "memory"
_TIMEOUT = 10  # seconds
_ALL = {each: each for each in (STARTS, PROMPT, COMPACTS, STOPS, ENDS)}
_EVENTS = {  # of each program by its own names, and what `memory hook` calls them
    "claude-code": _ALL,
    "copilot": _ALL,
    "cursor": {
        "sessionStart": STARTS,
        "beforeSubmitPrompt": PROMPT,
        "preCompact": COMPACTS,
        "stop": STOPS,
        "sessionEnd": ENDS,
    },
    "codex": {each: each for each in (STARTS, PROMPT, COMPACTS, STOPS)},
    "gemini": {STARTS: STARTS, "BeforeAgent": PROMPT, "PreCompress": COMPACTS, "AfterAgent": STOPS, ENDS: ENDS},
    "qwen": _ALL,
}
_MATCHERS = {"PreCompress": {"matcher": "manual"}}  # Gemini CLI also fires it before each turn, and seldom compresses
_LEARNS = "models: {{memory: {{agent: {client}}}}}  # `memory install {client} --learn` wrote this line"
_UNITS = {"gemini": 1000, "qwen": 1000}  # of a timeout, in a second
_OURS = re.compile(rf"memory(?:\.exe)?['\"]? hook (?:{'|'.join((STARTS, PROMPT, COMPACTS, STOPS, ENDS))})\b")


@dataclass(frozen=True, slots=True)
class Edit:
    """A file, and a function that adds the memory to its text or removes it."""

    path: Path
    add: Callable[[str], str]
    remove: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class StartCommand:
    """How a program starts the memory: the command and its first arguments."""

    command: str
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, home: str | None, *, shared: bool) -> "StartCommand":
        """By its path, because programs with windows do not know the PATH of a shell; by its name in a file that others
        share.
        """
        options = ("--home", str(Path(home).expanduser().absolute())) if home else ()
        beside = shutil.which("memory", path=str(Path(sys.executable).parent))
        return cls("memory" if shared else beside or shutil.which("memory") or "memory", options)

    @property
    def server(self) -> dict[str, Any]:
        """The call of the MCP server, for the project of the folder in which it starts."""
        return {"command": self.command, "args": ["mcp", "--project", ".", *self.options]}

    def hook(self, client: str, event: str) -> dict[str, Any]:
        """The call of a hook in a program."""
        command = shlex.join([self.command, "hook", event, *self.options])
        return {"type": "command", "command": command, "timeout": _TIMEOUT * _UNITS.get(client, 1)}


def edits(client: str, call: StartCommand, project: Path | None) -> list[Edit]:
    """The edits for a program: in a person's files, or in a ``project``."""
    home = project or Path.home()
    if client == "claude-code":
        where = _configured("CLAUDE_CONFIG_DIR")
        settings = (project / ".claude" if project else where or home / ".claude") / "settings.json"
        servers = project / ".mcp.json" if project else (where or home) / ".claude.json"
        return [_json_server(servers, "mcpServers", {"type": "stdio", **call.server}), _hooks(client, settings, call)]
    if client == "codex":
        folder = project / ".codex" if project else _configured("CODEX_HOME") or home / ".codex"
        return [_toml_server(folder / "config.toml", call.server), _hooks(client, folder / "hooks.json", call)]
    if client == "copilot":
        folder = project / ".github" if project else _configured("COPILOT_HOME") or home / ".copilot"
        servers = folder / ("mcp.json" if project else "mcp-config.json")
        settings = (folder / "copilot" if project else folder) / "settings.json"
        return [_json_server(servers, "mcpServers", call.server), _hooks(client, settings, call)]
    if client == "vscode":
        user = user_config_path("Code", appauthor=False, roaming=True) / "User"
        file = (project / ".vscode" if project else user) / "mcp.json"
        return [_json_server(file, "servers", {"type": "stdio", **call.server})]
    if client == "cursor":
        folder = home / ".cursor"
        return [
            _json_server(folder / "mcp.json", "mcpServers", call.server),
            _hooks(client, folder / "hooks.json", call),
        ]
    if client == "gemini":
        folder = (project or _configured("GEMINI_CLI_HOME") or home) / ".gemini"
    else:
        folder = project / ".qwen" if project else _configured("QWEN_HOME") or home / ".qwen"
    file = folder / "settings.json"
    server, hooks = _json_server(file, "mcpServers", call.server), _hooks(client, file, call)
    return [Edit(file, lambda text: hooks.add(server.add(text)), lambda text: server.remove(hooks.remove(text)))]


def learning(client: str, settings: Path) -> Edit:
    """The edit of the memory's own settings that lets the model of a coding agent learn."""
    line = _LEARNS.format(client=client)

    def add(text: str) -> str:
        if line in text.splitlines():
            return text
        text = f"{text.rstrip()}\n{line}\n".lstrip()
        yaml.safe_load(text)
        return text

    return Edit(settings, add, lambda text: text.replace(f"{line}\n", ""))


def snippet(call: StartCommand) -> str:
    """The entry for the settings of any other MCP client."""
    return jsonc.put("", ["mcpServers", NAME], call.server)


def _json_server(path: Path, key: str, server: Mapping[str, Any]) -> Edit:
    def remove(text: str) -> str:
        left = jsonc.drop(text, [key, NAME])
        return jsonc.drop(left, [key]) if left != text and not jsonc.value_of(left)[key] else left

    return Edit(path, lambda text: jsonc.put(text, [key, NAME], server), remove)


def _hooks(client: str, path: Path, call: StartCommand) -> Edit:
    """The hooks, one group per event, beside those of others; Cursor has no groups."""

    def add(text: str) -> str:
        if client == "cursor" and "version" not in _whole(text):
            text = jsonc.put(text, ["version"], 1)
        for event, ours_is in _EVENTS[client].items():
            hook = call.hook(client, ours_is)
            wanted = hook if client == "cursor" else {**_MATCHERS.get(event, {}), "hooks": [hook]}
            ours = _our_groups(text, event)
            if ours and _groups(text, event)[ours[0]] == wanted:
                continue
            for place in reversed(ours):
                text = jsonc.drop(text, ["hooks", event, place])
            text = jsonc.append(text, ["hooks", event], wanted)
        return text

    def remove(text: str) -> str:
        before = text
        for event in _EVENTS[client]:
            for place in reversed(_our_groups(text, event)):
                text = jsonc.drop(text, ["hooks", event, place])
                if not _groups(text, event):
                    text = jsonc.drop(text, ["hooks", event])
        return jsonc.drop(text, ["hooks"]) if text != before and not jsonc.value_of(text)["hooks"] else text

    return Edit(path, add, remove)


def _whole(text: str) -> dict[str, Any]:
    whole = jsonc.value_of(text) if text.strip() else {}
    return whole if isinstance(whole, dict) else {}


def _groups(text: str, event: str) -> list[Any]:
    hooks = _whole(text).get("hooks")
    groups = hooks.get(event) if isinstance(hooks, dict) else None
    return groups if isinstance(groups, list) else []


def _our_groups(text: str, event: str) -> list[int]:
    return [place for place, group in enumerate(_groups(text, event)) if _is_ours(group)]


def _is_ours(group: Any) -> bool:
    hooks = group.get("hooks", [group]) if isinstance(group, dict) else None
    return (
        isinstance(hooks, list)
        and bool(hooks)
        and all(isinstance(each, dict) and _OURS.search(str(each.get("command"))) for each in hooks)
    )


def _toml_server(path: Path, server: Mapping[str, Any]) -> Edit:
    import tomlkit

    def add(text: str) -> str:
        document = tomlkit.parse(text)
        servers = document.setdefault("mcp_servers", tomlkit.table(is_super_table=True))
        known = servers.get(NAME)
        if known is None or {**known, **server} != known:
            made = tomlkit.table()
            made.update(server)
            servers[NAME] = made
        return tomlkit.dumps(document)

    def remove(text: str) -> str:
        document = tomlkit.parse(text)
        servers = document.get("mcp_servers")
        if servers is None or NAME not in servers:
            return text
        del servers[NAME]
        if not servers:
            del document["mcp_servers"]
        return tomlkit.dumps(document)

    return Edit(path, add, remove)


def _configured(variable: str) -> Path | None:
    return Path(given).expanduser() if (given := os.environ.get(variable)) else None
