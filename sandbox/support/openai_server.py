"""Talk to one OpenAI-compatible server with the package `openai`, and give it only what is meant for it."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sandbox.support.fields import accepted

if TYPE_CHECKING:
    from openai import AsyncOpenAI, Omit

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"  # the default variable of its key
_MEANINGS = {
    **dict.fromkeys((301, 302, 303, 307, 308), "it sends on to another address, which is not followed; see `base_url`"),
    401: "the API key is missing or was refused",
    403: "this API key may not use this model",
    404: "there is no such model, or `base_url` is wrong",
    429: "too many requests, or the quota is used up",
}


def is_address(text: str) -> bool:
    """Whether it is the address of a server."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and parts.hostname is not None and parts.port != 0
    except ValueError:
        return False


server_address = accepted(is_address, "must be an address like http://127.0.0.1:11434/v1")
variable_name = accepted(
    re.compile(r"[A-Za-z_][A-Za-z0-9_]*").fullmatch, "must be the name of an environment variable, not the key itself"
)
"""Readers of settings: the address of a server, and the variable that holds its key."""


def place_of(address: str) -> str:
    """Host and port: the part of an address that may be shown, because the rest may contain a password or a key."""
    return urlsplit(address).netloc.rpartition("@")[2].lower()


def is_openai(address: str) -> bool:
    """Whether it is OpenAI's own server, which needs a key."""
    return urlsplit(address).hostname == urlsplit(OPENAI_URL).hostname


AGENTS = {"claude-code": "Claude Code", "qwen": "Qwen Code"}
"""The coding agents that can answer in place of a server, with their names for people."""

agent_name = accepted(AGENTS.__contains__, f"must be {' or '.join(AGENTS)}")
"""A reader of settings: the id of a coding agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model at one server, or behind the program of a coding ``agent``; its name is then that of the agent, unless
    a model is chosen. ``timeout`` is in seconds: how long it may be silent. For a None, the server or the caller has a
    default.
    """

    name: str
    agent: str | None = None
    base_url: str = field(default=OPENAI_URL, repr=False)  # may contain a password
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    max_retries: int = 2
    temperature: float | None = None
    max_tokens: int | None = None

    @property
    def place(self) -> str:
        """Host and port, the part of the address that may be shown; of a coding agent, its name."""
        return place_of(self.base_url) if self.agent is None else AGENTS[self.agent]


def connect(address: str, key: str | None, *, timeout: float, retries: int) -> "AsyncOpenAI":
    """A client for the server at an address. Raises ``ImportError`` if the package is missing."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    logging.getLogger("httpx2").setLevel(logging.WARNING)  # below that it logs whole addresses, with passwords
    return AsyncOpenAI(
        base_url=address,
        api_key=key or "not sent",
        timeout=timeout,
        max_retries=retries,
        http_client=DefaultAsyncHttpxClient(follow_redirects=False),  # requests are for this server alone
    )


def withheld(address: str, key: str | None) -> "dict[str, Omit]":
    """Headers that the package would fill, also from the environment, and that this server must not get."""
    from openai import omit

    names = [] if is_openai(address) else ["OpenAI-Organization", "OpenAI-Project"]
    return dict.fromkeys(names if key else [*names, "Authorization"], omit)


def meaning(status: int, own: Mapping[int, str]) -> str:
    """The meaning of an HTTP status; ``own`` overrides it for one kind of request."""
    return f"HTTP status {status}: {({**_MEANINGS, **own}).get(status, 'it has a problem of its own')}"
