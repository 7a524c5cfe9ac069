"""Prints every pattern that the package compiles, as JSON. It is a program, because it has to start before any pattern
is compiled. It notes patterns while every module is imported and while texts go through code that compiles at its first
use. It also evaluates the arguments of calls that can be evaluated in their module, whether the call happened or not.
"""

import ast
import importlib
import inspect
import json
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2] / "sandbox"
_METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")
_noted: dict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)


class Pattern(NamedTuple):
    """A pattern, the place where it is compiled, and the methods that use it there, as far as known."""

    pattern: str
    flags: int
    file: str
    line: int
    methods: tuple[str, ...]
    name: str = ""


def main() -> None:
    """Print them."""
    _note()
    modules = list(_modules())
    _exercise()
    found: dict[tuple[str, int, str], Pattern] = {}
    for module in modules:
        for pattern in _of_module(module):
            found[pattern.pattern, pattern.flags, pattern.file] = pattern
    known = {pattern.pattern for pattern in found.values()}
    for (noted, flags), places in _noted.items():
        for file, line in places if noted not in known else ():
            found[noted, flags, file] = Pattern(noted, flags, file, line, ())
    json.dump(sorted(found.values()), sys.stdout)


def _note() -> None:
    """From now on, note each compiled pattern and its place."""
    compile_ = re._compile  # type: ignore[attr-defined]

    def noting(pattern: Any, flags: Any) -> Any:
        frame = inspect.currentframe()
        while frame is not None and not frame.f_code.co_filename.startswith(str(ROOT)):
            outside = frame.f_code.co_filename
            frame = frame.f_back if outside == __file__ or outside == re.__file__ else None
        if frame is not None and isinstance(pattern, str):
            place = str(Path(frame.f_code.co_filename).relative_to(ROOT.parent)), frame.f_lineno
            _noted[pattern, int(flags)].add(place)
        return compile_(pattern, flags)

    re._compile = noting  # type: ignore[attr-defined]


def _modules() -> Iterator[Any]:
    import sandbox

    for found in pkgutil.walk_packages(sandbox.__path__, "sandbox."):
        if not found.name.endswith(("__main__", ".child")):
            yield importlib.import_module(found.name)


def _exercise() -> None:
    """Send texts through code that compiles at its first use."""
    from datetime import UTC, datetime

    from sandbox import secrets
    from sandbox.extensions.memory.claims import USER, Claim
    from sandbox.extensions.memory.consolidate.extraction import Turn
    from sandbox.extensions.memory.consolidate.rules import read
    from sandbox.extensions.memory.ingest.profile_extraction import fillings
    from sandbox.extensions.memory.text.period import period

    now = datetime(2026, 1, 3, tzinfo=UTC)
    for text in _TEXTS:
        secrets.mask(text)
        secrets.mask(text, "What is the gate code?")
        secrets.mask_name(text.replace(" ", "-"))
        fillings(text, [Claim(USER, each, text) for each in ("home", "answer_language", "pronouns", "instruction")])
        period(text, now)
        read([Turn("1", "user", text, now, "Ann")])


_TEXTS = (
    "I live in Leeds. My name is Ann, call me Annie! My password is kitten99. I moved last week.",
    "Мой пароль: котик99. Я живу в Москве, меня зовут Анна! Вчера я купил машину. Больше не работаю в Яндексе.",
    "https://user:secret@host.example/path?token=abc password=abc Authorization: Bearer abcdefghijklmnop",
)


def _of_module(module: Any) -> Iterator[Pattern]:
    """The patterns of the calls in a module, as far as they can be evaluated."""
    tree = ast.parse(inspect.getsource(module) or "")
    file = str(Path(module.__file__).relative_to(ROOT.parent))
    uses, owners = _uses(tree), _owners(tree)
    names = {
        id(node.value): node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for pattern, line, method in _compiled_at_once(tree, module):
        yield Pattern(pattern.pattern, pattern.flags, file, line, (method,))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
            continue
        called = node.func.attr
        of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
        if not of_re or called not in ("compile", *_METHODS):
            continue
        values = _evaluated(node, called, module)
        methods = (called,) if called != "compile" else uses.get(names.get(id(node), ""), ())
        methods = (owners[id(node)],) if id(node) in owners else methods
        if values is not None and isinstance(values[0], str):
            yield Pattern(values[0], int(values[1]), file, node.lineno, methods, names.get(id(node), ""))


def _compiled_at_once(tree: ast.AST, module: Any) -> Iterator[tuple[re.Pattern[str], int, str]]:
    """The result of ``compiled(...)`` with its method: ``compiled(_WORD).match(text)``."""
    owners = _owners(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "compiled":
            with suppress(NameError):
                yield module.compiled(_value(node.args[0], module)), node.lineno, owners.get(id(node), "")


def _owners(tree: ast.AST) -> dict[int, str]:
    """The attributes of expressions, by the identities of these."""
    return {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def _evaluated(node: ast.Call, called: str, module: Any) -> tuple[Any, Any] | None:
    """The pattern and the flags of a call; None if only the call knows them."""
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(called, 2)
    flags = next((word.value for word in node.keywords if word.arg == "flags"), None)
    flags = node.args[at] if flags is None and len(node.args) > at else flags
    try:
        return _value(node.args[0], module), _value(flags, module) if flags is not None else 0
    except NameError:
        return None


def _value(node: ast.expr, module: Any) -> Any:
    return eval(compile(ast.Expression(node), module.__file__, "eval"), vars(module))


def _uses(tree: ast.AST) -> dict[str, tuple[str, ...]]:
    """The methods that use names; none if a name is used in another way."""
    found: dict[str, set[str]] = defaultdict(set)
    owners = _owners(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id].add(owners.get(id(node), ""))
    return {name: tuple(sorted(uses)) for name, uses in found.items() if "" not in uses}


if __name__ == "__main__":
    main()
