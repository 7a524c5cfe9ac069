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
"""The file in a home that says where its server is, while one runs."""

_PATIENCE = 5.0  # seconds for a server of this machine to answer
_EVERYWHERE = ("0.0.0.0", "::")


@contextmanager
def announced(home: Path, url: str) -> Iterator[None]:
    """While this lasts, the home says that its server is at ``url``. Of several servers the last says so."""
    file = home / ADDRESS
    private.make_file(file)
    with suppress(OSError):  # of a home that cannot be written the page is found by who knows its address
        file.write_text(f"{url}\n", encoding="utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            if file.read_text(encoding="utf-8").strip() == url:
                file.unlink()


def page_of(home: Path, user: str | None, project: str | None) -> str | None:
    """The address of the page, where a server of the home answers; with the token where that asks for it."""
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
    told = urlencode({name: value for name, value in given.items() if value})
    return f"{url}/ui/{'#' * bool(told)}{told}"


def show(url: str, *, browser: bool) -> None:
    """Say where the page is, and open it."""
    print(f"The memory is shown at {url}", flush=True)
    if browser and not webbrowser.open(url):
        print("No browser could be opened here: open this address in one.", flush=True)


def _answer(url: str) -> int | None:
    """The status with which something answers; None where nothing does, or no server of a memory."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_PATIENCE) as answered:
            json.load(answered)
            return int(answered.status)
    except urllib.error.HTTPError as error:
        return error.code
    except (OSError, ValueError):
        return None
