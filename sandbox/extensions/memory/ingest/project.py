"""The project of a folder: its repository, the same in every worktree and clone. It runs no program; it reads the files
of git. A repository without a remote is noted in the home, so that it stays the same project when it gets one.
"""

import json
import re
from contextlib import suppress
from pathlib import Path

from sandbox.extensions.memory.model import AcrossProjects, Scope
from sandbox.support import private

_SCP = re.compile(r"(?:[^/@]*@)?([^/:]+):(?!//)(.+)")  # git@example.org:ann/shop.git
_URL = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/:]*)(?::\d+)?/(.*)", re.IGNORECASE)
_SECTION = re.compile(r'\[remote "(.*)"\]')

NOTED = "projects.json"
"""The file of the home with the repositories that were seen, and those of them that had no remote."""


def project_of(folder: Path | str, home: Path) -> str | None:
    """The name of the project: the address of its remote, for example ``example.org/ann/shop``; without a remote, the
    path of the repository, also later when it has one; without a repository, the path of the folder. None for a
    person's home and the folders above it. ``home`` is the folder of the memory.
    """
    start = Path(folder).expanduser().absolute()
    with suppress(OSError):
        start = start.resolve()
    root = next((each for each in (start, *start.parents) if (each / ".git").exists()), None)
    if root is None or not (shared := _shared(root)):
        persons = Path.home().resolve()
        return None if start in (persons, *persons.parents) else str(start)
    return _lasting(home / NOTED, _remote(shared), shared)


def scope_in(
    folder: Path | str | None,
    across: AcrossProjects,
    home: Path,
    *,
    user_id: str = "default",
    project_id: str | None = None,
) -> Scope:
    """The scope for work in a folder: its project is the folder's repository or the given project. If ``across`` is
    ``all``, the scope has no project.
    """
    project = project_id or (project_of(folder, home) if folder else None)
    apart = project is not None and across != "all"
    return Scope(user_id, project, visibility="project" if apart else "user")


def _lasting(file: Path, remote: str | None, shared: Path) -> str:
    """The name of a repository: the one that its remote had at first sight, its path if it had no remote until then.
    The file also has the number of each folder of git that had no remote, since another repository may come to its
    path.
    """
    path, number = str(shared.parent if shared.name == ".git" else shared), _number(shared)
    folders, remotes = dict[str, int](), dict[str, str]()
    with suppress(OSError, ValueError, KeyError, TypeError):
        noted = json.loads(file.read_text(encoding="utf-8"))
        folders, remotes = {**noted["folders"]}, {**noted["remotes"]}
    is_noted = folders.get(path) == number
    if remote is None and is_noted:
        return path
    if remote in remotes:
        return remotes[remote]
    if remote is None:
        folders[path] = number
    else:
        remotes[remote] = path if is_noted else remote
    with suppress(OSError):  # a home that is not there, or cannot be written
        private.write_whole(file, json.dumps({"folders": folders, "remotes": remotes}))
    return path if remote is None else remotes[remote]


def _number(shared: Path) -> int:
    with suppress(OSError):
        return shared.stat().st_ino
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
