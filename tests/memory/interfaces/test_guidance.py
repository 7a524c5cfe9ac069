"""What an assistant is told about its memory."""

import re

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.guidance import GUIDANCE
from sandbox.extensions.memory.interfaces.tools import tools


def test_the_guidance_is_short() -> None:
    assert 250 <= len(GUIDANCE.split()) <= 350


def test_the_tools_it_names_exist() -> None:
    assert set(re.findall(r"\b\w+_(?:memory|fact)\b", GUIDANCE)) <= {tool.name for tool in tools(Config.load())}


def test_the_guidance_covers_each_action() -> None:
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
