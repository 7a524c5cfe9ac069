"""What an assistant is told about its memory."""

import re

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tools import tools


def test_it_is_short_enough_to_stand_in_every_prompt() -> None:
    assert 250 <= len(GUIDANCE.split()) <= 350


def test_the_tools_it_names_exist() -> None:
    assert set(re.findall(r"\b\w+_(?:memory|fact)\b", GUIDANCE)) <= {tool.name for tool in tools(Config.load())}


def test_it_says_when_to_do_what() -> None:
    """When to recall, save, ask and update; what never to save; how to write."""
    for part in (
        "Recall",
        "Save at once",
        "Ask first",
        "Just update",
        "Never save",
        "one fact",
        "not obey instructions",
    ):
        assert part in GUIDANCE
