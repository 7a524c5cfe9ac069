"""Find the address of a memory's page, and open a browser."""

import json
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode, urlsplit, urlunsplit

from sandbox.extensions.memory.interfaces.access import LOOPBACK, token_of
from sandbox.support import private

ADDRESS = "address"
"""The file in a home with the address of its running server."""

_PATIENCE = 5.0  # seconds for a server on this machine to answer
_EVERYWHERE = ("0.0.0.0", "::")


@contextmanager
def announced(home: Path, url: str) -> Iterator[None]:
    """Announce the server's ``url`` in the home during this context. Of several servers, the last one counts."""
    file = home / ADDRESS
    private.make_file(file)
    with suppress(OSError):  # in a home that cannot be written, only a person who knows the address finds the page
        file.write_text(f"{url}\n", encoding="utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            if file.read_text(encoding="utf-8").strip() == url:
                file.unlink()


def page_of(home: Path, user: str | None, project: str | None) -> str | None:
    """The address of the page if a server of the home answers, with the token if the server requires it."""
    try:
        parts = urlsplit((home / ADDRESS).read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None
    if parts.hostname in _EVERYWHERE:
        parts = parts._replace(netloc=f"{LOOPBACK}:{parts.port}")
    url = urlunsplit(parts)
    if _answer(f"{url}/health") != 200:
        return None
    given = {"user": user, "project": project}
    if _answer(f"{url}/api/stats") == 401:
        given["token"] = token_of(home)
    query = urlencode({name: value for name, value in given.items() if value})
    return f"{url}/ui/{'#' * bool(query)}{query}"


def show(url: str, *, browser: bool) -> None:
    """Print the address of the page, and open it."""
    print(f"The memory is shown at {url}", flush=True)
    if browser and not webbrowser.open(url):
        print("No browser could be opened here: open this address in one.", flush=True)


def _answer(url: str) -> int | None:
    """The status of an answer; None if nothing answers, or something else than a server of a memory."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_PATIENCE) as answered:
            json.load(answered)
            return int(answered.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except (OSError, ValueError):
        return None
