"""The package that programs import."""

import json
import subprocess
import sys
from importlib import import_module

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


def test_the_package_imports_no_kernel() -> None:
    ran = subprocess.run([sys.executable, "-c", SHOWN], capture_output=True, text=True, check=True)
    outside = [name for name in json.loads(ran.stdout) if not name.startswith("sandbox.extensions")]
    assert {name.split(".")[1] for name in outside} <= {"secrets", "support"}


def test_every_type_in_a_signature_is_exported() -> None:
    """Programs that annotate their own functions import the types from here."""
    hints = {
        word
        for name, method in vars(assistant_memory.Memory).items()
        if not name.startswith("_") and hasattr(method, "__annotations__")
        for hint in method.__annotations__.values()
        for word in str(hint).replace("[", " ").replace("]", " ").replace("|", " ").split()
        if word.startswith("sandbox.")
    }
    assert {hint.rstrip(",").split(".")[-1] for hint in hints} <= {*vars(assistant_memory), "Config"}
