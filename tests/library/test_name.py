"""The package that programs import."""

import json
import subprocess
import sys
from importlib import import_module
from inspect import isclass
from typing import Any, get_args, get_type_hints

import pytest

import assistant_memory
from sandbox.extensions import memory as inside

SHOWN = """
import json, sys
import assistant_memory
print(json.dumps([name for name in sys.modules if name.startswith("sandbox.")]))
"""


def test_the_package_exports_every_type_of_the_memory() -> None:
    for name in inside.__all__:
        assert getattr(assistant_memory, name) is getattr(inside, name)
    for name in ("langgraph", "anthropic", "openai_agents", "pydantic_ai", "servers"):
        import_module(f"assistant_memory.{name}")


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("langgraph", "langgraph", "langgraph"),
        ("anthropic", "anthropic", "anthropic"),
        ("openai_agents", "agents", "agents"),  # another package has that name
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
    ],
)
def test_an_adapter_whose_library_is_missing_names_the_extra(name: str, package: str, extra: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import assistant_memory.{name}"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"MissingPackage: assistant_memory.{name} needs " in ran.stderr
    assert f"pip install '.[{extra}]'" in ran.stderr


def test_the_package_imports_no_kernel() -> None:
    ran = subprocess.run([sys.executable, "-c", SHOWN], capture_output=True, text=True, check=True)
    outside = [name for name in json.loads(ran.stdout) if not name.startswith("sandbox.extensions")]
    assert {name.split(".")[1] for name in outside} <= {"secrets", "support"}


def types_in(hint: Any) -> set[type[Any]]:
    """The types of this distribution in a type hint, and in the fields of these."""
    found, waiting = set[type[Any]](), [hint]
    while waiting:
        each = waiting.pop()
        waiting += get_args(each)
        if isclass(each) and each.__module__.startswith("sandbox.") and each not in found:
            found.add(each)
            waiting += get_type_hints(each).values()
    return found


def test_every_type_in_a_signature_is_exported() -> None:
    """Programs that annotate their own functions import the types from here."""
    for name, member in vars(assistant_memory.Memory).items():
        if not name.startswith("_"):
            hints = get_type_hints(getattr(member, "fget", None) or getattr(member, "__func__", member))
            for each in set[type[Any]]().union(*map(types_in, hints.values())):
                assert getattr(assistant_memory, each.__name__, None) is each, (name, each)
