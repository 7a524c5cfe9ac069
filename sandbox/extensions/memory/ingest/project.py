"""The project of a folder: its repository, the same in every worktree and clone. It runs no program; it reads the files
of git. A repository without a remote is noted in the home, so that it stays the same project when it gets one, or is
moved.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.model import AcrossProjects, Scope
from sandbox.support import private
from sandbox.support.paths import expanded

_SCP = re.compile(r"(?:[^/@]*@)?([^/:]+):(?!//)(.+)")  # git@example.org:ann/shop.git
_URL = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/:]*)(?::\d+)?/(.*)", re.IGNORECASE)
_SECTION = re.compile(r'\[remote "(.*)"\]')

NOTED = "projects.json"
"""The file of the home with the repositories that were seen, and those of them that had no remote."""


def project_of(folder: Path | str, home: Path) -> str | None:
    """The name of the project: the address of its remote, for example ``example.org/ann/shop``; without a remote, the
    first path of the repository, also when it has one later, or was moved; without a repository, the path of the
    folder. None for a person's home and the folders above it. ``home`` is the folder of the memory.
    """
    start = Path(folder).expanduser().absolute()
    with suppress(OSError, ValueError):
        start = start.resolve()
    root = next((each for each in (start, *start.parents) if _is_there(each / ".git")), None)
    if root is None or not (shared := _shared(root)):
        persons = expanded("~").resolve()
        return None if start in (persons, *persons.parents) else str(start)
    return _lasting(home / NOTED, _remote(shared), shared)


def _is_there(path: Path) -> bool:
    """Whether a path exists; False if nobody may look, or no path can be so."""
    with suppress(OSError, ValueError):
        return path.exists()
    return False


def scope_in(
    folder: Path | str | None,
    across: AcrossProjects,
    home: Path,
    *,
    user_id: str = "default",
    project_id: str | None = None,
) -> Scope:
    """The scope for work in a folder: of its project or the given one, and of none if ``across`` is ``all``."""
    project = project_id or (project_of(folder, home) if folder else None)
    apart = project is not None and across != "all"
    return Scope(user_id, project, visibility="project" if apart else "user")


def _lasting(file: Path, remote: str | None, shared: Path) -> str:
    """The name of a repository: the one that its remote had at first sight; its first path if it had no remote until
    then, also after it was moved. The file has each name with the time when its repository was made, and the place
    where that was seen last, since another repository may come to a path.
    """
    path, made = _place(shared), _made(shared)
    repositories, remotes = _noted(file)
    if remote in remotes:
        return remotes[remote]
    alike = [each for each, (time, _) in repositories.items() if time == made]
    known = next((each for each in alike if repositories[each][1] == path), None)
    if remote is None and known:
        return known
    known = known or next((each for each in alike if _is_gone(repositories[each][1], made)), None)
    name = known or remote or _free(path, repositories)
    if known or remote is None:
        repositories[name] = made, path
    if remote is not None:
        remotes[remote] = name
    _note(file, repositories, remotes)
    return name


def noted(home: Path) -> dict[str, Any]:
    """The repositories that a home has seen, for an export; empty if there is none."""
    repositories, remotes = _noted(home / NOTED)
    return {"repositories": repositories, "remotes": remotes} if repositories or remotes else {}


def note(home: Path, of_another: object) -> None:
    """Add what another home has ``noted`` to what this one knows."""
    repositories, remotes = _read(of_another)
    known_repositories, known_remotes = _noted(home / NOTED)
    _note(home / NOTED, repositories | known_repositories, remotes | known_remotes)


def _noted(file: Path) -> tuple[dict[str, tuple[int, str]], dict[str, str]]:
    with suppress(OSError, ValueError):
        return _read(json.loads(file.read_text(encoding="utf-8")))
    return {}, {}


def _read(noted: Any) -> tuple[dict[str, tuple[int, str]], dict[str, str]]:
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        repositories = {str(name): (int(time), str(at)) for name, (time, at) in noted["repositories"].items()}
        return repositories, {str(remote): str(name) for remote, name in noted["remotes"].items()}
    return {}, {}


def _note(file: Path, repositories: Mapping[str, tuple[int, str]], remotes: Mapping[str, str]) -> None:
    with suppress(OSError):  # a home that is not there, or cannot be written
        private.write_whole(file, json.dumps({"repositories": repositories, "remotes": remotes}))


def _free(path: str, repositories: Mapping[str, tuple[int, str]]) -> str:
    """The path, or the path with a number if a repository that was moved is named after it."""
    names = (f"{path} {number}" if number > 1 else path for number in count(1))
    return next(name for name in names if repositories.get(name, (0, path))[1] == path)


def _place(shared: Path) -> str:
    return str(shared.parent if shared.name == ".git" else shared)


def _is_gone(place: str, made: int) -> bool:
    """Whether a repository is no more in its place; without the time of its making nobody can tell."""
    return made > 0 and made not in (_made(Path(place)), _made(Path(place, ".git")))


def _made(shared: Path) -> int:
    """When a repository was made: git never changes this file, and its time stays when it is moved. 0 if unknown."""
    with suppress(OSError):
        return (shared / "description").stat().st_mtime_ns
    return 0


def _shared(root: Path) -> Path | None:
    """The folder that all worktrees of a repository share; None if it cannot be read."""
    git = root / ".git"
    if git.is_dir():
        return git
    with suppress(OSError, UnicodeError):
        kind, _, place = git.read_text(encoding="utf-8").partition(":")
        if kind == "gitdir":
            own = (root / place.strip()).resolve()
            common = own / "commondir"
            return (own / common.read_text(encoding="utf-8").strip()).resolve() if common.exists() else own
    return None


def _remote(shared: Path) -> str | None:
    """The address of the remote that other clones have as well: ``origin``, else the first."""
    from configparser import Error, RawConfigParser  # slow to import, and a search in no folder needs none

    parser = RawConfigParser(strict=False, allow_no_value=True)
    try:
        lines = (shared / "config").read_text(encoding="utf-8").splitlines()
        parser.read_string("\n".join(line.strip() for line in lines))  # git indents the lines of a section
    except (OSError, UnicodeError, Error):
        return None
    remotes = {
        found[1]: parser[each].get("url") for each in parser.sections() if (found := _SECTION.match(f"[{each}]"))
    }
    url = remotes.get("origin") or next(filter(None, remotes.values()), None)
    return _name(url, shared.parent) if url else None


def _name(url: str, root: Path) -> str:
    """An address without protocol and login; for a repository on this machine, its path."""
    url = url.strip().strip('"')
    if found := _URL.fullmatch(url):
        host, path = found[1], found[2]
        if not host:  # file:///srv/shop.git
            return _plain(f"/{path}")
        return f"{host}/{_plain(path)}".lower()
    if (found := _SCP.fullmatch(url)) and len(found[1]) > 1:  # a single letter is a drive
        return f"{found[1]}/{_plain(found[2].lstrip('/'))}".lower()
    return _plain(str((root / url).resolve()))


def _plain(path: str) -> str:
    return path.rstrip("/").removesuffix("/.git").removesuffix(".git").rstrip("/")
