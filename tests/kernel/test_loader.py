"""Extensions are found, ordered, checked, started and stopped; a broken one leaves the others running."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st

from sandbox.errors import (
    BrokenExtension,
    DependencyCycle,
    DuplicateExtension,
    MissingDependency,
    RequiredExtensionFailed,
)
from sandbox.loader import BUILT_IN, Loaded, discover, installed, load, started
from sandbox.manifest import Manifest
from sandbox.protocols import Extension, ExtensionContext
from sandbox.settings import CONFIG, read_settings

PLAIN = """
    import asyncio


    class Made:
        async def start(self, context):
            context.told.append(f"{context.id} starts")
            self.told, self.id = context.told, context.id

        async def stop(self):
            self.told.append(f"{self.id} stops")

        async def check(self):
            return []
"""


@dataclass(frozen=True)
class Given:
    """The parts of a context that these extensions use; they write their steps into ``told``."""

    id: str
    told: list[str]
    config: Mapping[str, Any] = field(default_factory=dict)
    dependencies: Mapping[str, Extension] = field(default_factory=dict)


class Told(list[str]):
    """The steps of the extensions, and the context that each got."""

    def __init__(self) -> None:
        super().__init__()
        self.dependencies: dict[str, list[str]] = {}

    def context(self, manifest: Manifest, running: Mapping[str, Extension]) -> ExtensionContext:
        self.dependencies[manifest.id] = list(running)
        return cast(ExtensionContext, Given(manifest.id, self, manifest.config, running))

    async def until(self, line: str) -> None:
        while self[-1:] != [line]:  # noqa: ASYNC110 (the extensions only write)
            await asyncio.sleep(0)


@pytest.fixture
def told() -> Told:
    return Told()


def extension(folder: Path, id: str, code: str = PLAIN, **manifest: Any) -> Path:
    """Write an extension with a class ``Made``; return its folder."""
    place = folder / id
    place.mkdir(parents=True)
    lines = [f"{key}: {value}" for key, value in ({"id": id, "entrypoint": "main:Made"} | manifest).items()]
    (place / "manifest.yaml").write_text("\n".join(lines), encoding="utf-8")
    (place / "main.py").write_text(dedent(code), encoding="utf-8")
    return place


def found(folder: Path) -> list[Manifest]:
    return discover([folder])


def ids(manifests: Sequence[Manifest]) -> list[str]:
    return [manifest.id for manifest in manifests]


def states(loaded: Sequence[Loaded]) -> dict[str, str | None]:
    """The problem of each extension; None for one that runs."""
    assert all((each.extension is None) == (each.problem is not None) for each in loaded)
    return {each.manifest.id: each.problem for each in loaded}


# --- finding and ordering ---------------------------------------------------------------------------------------------


def test_folders_of_extensions_and_single_ones_are_found(tmp_path: Path) -> None:
    extension(tmp_path / "many", "b", depends_on="[c]")
    extension(tmp_path / "many", "a")
    single = extension(tmp_path / "elsewhere", "c")
    (tmp_path / "many" / "no_extension").mkdir()
    (tmp_path / "many" / "file").write_text("")
    manifests = discover([tmp_path / "many", single, tmp_path / "gone"])
    assert ids(manifests) == ["a", "c", "b"]


def test_named_extensions_are_loaded_beside_the_built_in_ones(tmp_path: Path) -> None:
    extension(tmp_path / "mine", "counter", depends_on="[memory]")
    (tmp_path / CONFIG).write_text("kernel: {extensions: [mine]}")
    manifests = ids(installed(read_settings(tmp_path / CONFIG)))
    assert manifests.index("embedding") < manifests.index("memory") < manifests.index("counter")


def test_built_in_extensions_keep_their_promises() -> None:
    for manifest in discover([BUILT_IN]):
        assert load(manifest)


def test_two_extensions_with_one_name_are_refused(tmp_path: Path) -> None:
    first, second = extension(tmp_path / "one", "a"), extension(tmp_path / "two", "a")
    with pytest.raises(DuplicateExtension) as refused:
        discover([tmp_path / "one", tmp_path / "two"])
    assert f"have the id 'a': {first} and {second};" in str(refused.value)


def test_a_missing_dependency_is_named(tmp_path: Path) -> None:
    extension(tmp_path, "a", depends_on="[b, gnome]")
    extension(tmp_path, "b")
    with pytest.raises(MissingDependency, match="'a' depends on 'gnome', which is not installed; known are: a, b"):
        found(tmp_path)


@pytest.mark.parametrize(
    ("needs", "cycle"),
    [
        ({"a": "[a]"}, {"a -> a"}),
        ({"a": "[b]", "b": "[a]"}, {"a -> b -> a", "b -> a -> b"}),
        (
            {"a": "[b]", "b": "[c]", "c": "[d]", "d": "[b]"},
            {"b -> c -> d -> b", "c -> d -> b -> c", "d -> b -> c -> d"},
        ),
    ],
)
def test_a_cycle_of_dependencies_is_shown(tmp_path: Path, needs: dict[str, str], cycle: set[str]) -> None:
    for id, depends_on in needs.items():
        extension(tmp_path, id, depends_on=depends_on)
    with pytest.raises(DependencyCycle) as refused:
        found(tmp_path)
    assert refused.value.details["cycle"] in cycle


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple[str, list[str]]]:
    """Extensions in any order of folders; each depends on some earlier ones of another order."""
    names = draw(st.permutations("abcdef"))
    earlier = {name: names[:at] for at, name in enumerate(names)}
    needs = {name: draw(st.sets(st.sampled_from(known))) if known else set() for name, known in earlier.items()}
    return draw(st.permutations([(name, sorted(chosen)) for name, chosen in needs.items()]))


@given(graph=graphs())
def test_extensions_are_ordered_by_dependency_and_not_by_place(
    graph: list[tuple[str, list[str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("extensions")
    places = [extension(folder, id, depends_on=f"[{', '.join(needs)}]") for id, needs in graph]
    order = ids(discover(places))
    assert sorted(order) == list("abcdef")
    assert all(order.index(need) < order.index(id) for id, needs in graph for need in needs)
    assert order == ids(discover(sorted(places)))


# --- loading ----------------------------------------------------------------------------------------------------------


def problem(folder: Path, code: str, **manifest: Any) -> str:
    """Why the only extension of the folder cannot be loaded."""
    extension(folder, "bad", code, **manifest)
    with pytest.raises(BrokenExtension) as refused:
        load(*found(folder))
    assert str(refused.value) == f"The extension 'bad' cannot be loaded: {refused.value.details['problem']}."
    return str(refused.value.details["problem"])


def method(text: str) -> str:
    """A plain extension with one method added or replaced."""
    return dedent(PLAIN) + "\n" + indent(text, "    ") + "\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import not_there_at_all", "ModuleNotFoundError: No module named 'not_there_at_all'"),
        ("def", "SyntaxError: invalid syntax (main.py, line 1)"),
        ("from .gone import x", "ModuleNotFoundError: No module named 'sandbox_extension_bad.gone'"),
        ("raise OSError('no disk.')", "OSError: no disk"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("Other = 1", "AttributeError: module 'sandbox_extension_bad.main' has no attribute 'Made'"),
        ("Made = 1", "TypeError: 'int' object is not callable"),
        ("class Made:\n    def __init__(self): raise ValueError", "ValueError"),
        ("class Made:\n    def __init__(self, home): ...", "TypeError: Made.__init__() missing 1 required positional "),
        ("class Made: ...", "`start` of Extension is missing"),
        (method("check = True"), "`check` of Extension is not a method"),
        (method("def stop(self): ..."), "`stop` of Extension must be `async def`"),
        (method("async def start(self): ..."), "`start` of Extension must take (context)"),
        (method("async def start(self, *, context): ..."), "`start` of Extension must take (context)"),
        (method("async def stop(self, why): ..."), "`stop` of Extension must take ()"),
        (method("check = property(lambda self: 1 / 0)"), "ZeroDivisionError: division by zero"),
        (
            method("def commands(self): ..."),
            "it plays CommandProvider, which `provides` in its manifest does not name;",
        ),
    ],
)
def test_an_unloadable_extension_says_why(tmp_path: Path, code: str, expected: str) -> None:
    assert problem(tmp_path, code).startswith(expected)


@pytest.mark.parametrize(
    ("role", "code", "expected"),
    [
        ("ToolProvider", "def tools(self): ...", "`guidance` of ToolProvider is missing"),
        (
            "ToolProvider",
            "async def tools(self): ...\ndef guidance(self): ...",
            "`tools` of ToolProvider must not be `async def`",
        ),
        (
            "ContextProvider",
            "context_priority = 'high'\nasync def get_context(self, turn): ...",
            "`context_priority` of ContextProvider must be there, of type int",
        ),
        ("ChannelProvider", "", "`converse` of ChannelProvider is missing"),
    ],
)
def test_a_broken_promise_is_named(tmp_path: Path, role: str, code: str, expected: str) -> None:
    assert problem(tmp_path, method(code), provides=f"[{role}]").startswith(expected)


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("daily", "Wrong number of fields"),
        ("61 3 * * *", "Error validating expression"),
        ("'0 3 * *  mon,3 '", "days of the week must be named: sun, mon, tue"),
        ("0 3 * * 0", "days of the week must be named"),
    ],
)
def test_a_wrong_cron_is_named_with_its_task(tmp_path: Path, cron: str, expected: str) -> None:
    code = method("async def execute_task(self, task): ...")
    schedules = f"[{{task: a, cron: 0 3 * * *}}, {{task: b, cron: {cron}}}]"
    said = problem(tmp_path, code, provides="[SchedulerProvider]", schedules=schedules)
    assert said.startswith(f"the `cron` of its task b is no cron expression: {expected}")


def test_a_method_may_take_more_arguments_than_promised(tmp_path: Path) -> None:
    extension(tmp_path, "good", method("async def start(self, context, *rest, more=None): ..."))
    assert load(*found(tmp_path))


def test_a_package_of_its_own_may_have_code(tmp_path: Path) -> None:
    """Its ``__init__`` runs, deeper entrypoints are found, and a package of the same name is not mixed in."""
    for which in ("old", "new"):
        place = extension(tmp_path / which, "deep", "", entrypoint="inner.entry:Made")
        (place / "__init__.py").write_text(f"WHICH = {which!r}\n")
        (place / "inner").mkdir()
        (place / "inner" / "entry.py").write_text("from .. import WHICH\n" + dedent(PLAIN) + "    which = WHICH\n")
        assert cast(Any, load(*found(tmp_path / which))).which == which


def test_an_error_of_a_package_at_import_is_reported(tmp_path: Path) -> None:
    place = extension(tmp_path, "bad")
    (place / "__init__.py").write_text("raise RuntimeError('not today')")
    for _ in range(2):
        with pytest.raises(BrokenExtension, match="RuntimeError: not today"):
            load(*found(tmp_path))


# --- starting and stopping --------------------------------------------------------------------------------------------

RAISES = """
    class Made:
        async def start(self, context):
            self.told = context.told
            raise ValueError("no water.")

        async def stop(self):
            self.told.append("stop raises")
            raise OSError("no drain")

        async def check(self):
            raise KeyError

        def tools(self):
            raise KeyError

        def guidance(self):
            raise KeyError
"""
FOREVER = "await asyncio.Event().wait()"


def after(hook: str, code: str) -> str:
    """A plain extension that runs more code at the end of a hook."""
    more = f"""
        class More(Made):
            async def {hook}(self, *given):
                await super().{hook}(*given)
                {code}


        Made = More
    """
    return dedent(PLAIN) + dedent(more)


async def test_extensions_start_in_order_and_stop_in_reverse(tmp_path: Path, told: Told) -> None:
    extension(tmp_path, "a", depends_on="[c]")
    extension(tmp_path, "b")
    extension(tmp_path, "c")
    async with started(found(tmp_path), told.context) as loaded:
        assert states(loaded) == {"b": None, "c": None, "a": None}
        assert told.dependencies == {"b": [], "c": [], "a": ["c"]}
    assert told == ["b starts", "c starts", "a starts", "a stops", "c stops", "b stops"]


async def test_an_extension_raising_in_every_hook_leaves_the_others_running(tmp_path: Path, told: Told) -> None:
    extension(tmp_path, "bad", RAISES, provides="[ToolProvider]")
    extension(tmp_path, "broken", "import not_there_at_all")
    extension(tmp_path, "good", depends_on="[bad, broken]")
    async with started(found(tmp_path), told.context) as loaded:
        assert states(loaded) == {
            "bad": "ValueError: no water; stopping it failed too: OSError",
            "broken": "ModuleNotFoundError: No module named 'not_there_at_all'",
            "good": None,
        }
        assert told.dependencies["good"] == []
    assert told == ["stop raises", "good starts", "good stops"]


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise asyncio.CancelledError", "CancelledError"),
        ("raise TimeoutError('no answer')", "TimeoutError: no answer"),
        (FOREVER, "TimeoutError: took longer than 0.05 s"),
    ],
)
async def test_an_extension_whose_start_fails_is_stopped(tmp_path: Path, told: Told, code: str, problem: str) -> None:
    """The start raises an error that would end the process, is cancelled, reports its own time limit, or hangs."""
    extension(tmp_path, "bad", after("start", code))
    extension(tmp_path, "good")
    async with started(found(tmp_path), told.context, starting=0.05) as loaded:
        assert states(loaded) == {"bad": problem, "good": None}
        assert told == ["bad starts", "bad stops", "good starts"]


@pytest.mark.parametrize(
    ("role", "code", "reason"),
    [
        ("ToolProvider", "def tools(self): raise KeyError('a')\ndef guidance(self): return ''", "KeyError: 'a'"),
        ("ToolProvider", "def tools(self): return []\ndef guidance(self): raise KeyError", "KeyError"),
        ("CommandProvider", "def commands(self): raise SystemError", "SystemError"),
        ("AgentProvider", "def agent(self, tools, guidance): raise SystemError", "SystemError"),
    ],
)
async def test_an_extension_failing_to_list_its_parts_does_not_run(
    tmp_path: Path, told: Told, role: str, code: str, reason: str
) -> None:
    extension(tmp_path, "bad", method(code), provides=f"[{role}]")
    extension(tmp_path, "good")
    async with started(found(tmp_path), told.context) as loaded:
        assert states(loaded) == {"bad": reason, "good": None}
        assert told == ["bad starts", "bad stops", "good starts"]


@pytest.mark.parametrize("code", [RAISES, "import not_there_at_all"])
async def test_a_failing_required_extension_stops_everything(tmp_path: Path, told: Told, code: str) -> None:
    for id in ("a", "b", "z"):
        extension(tmp_path, id)
    extension(tmp_path, "needed", code, required="true", provides="[ToolProvider]")
    with pytest.raises(RequiredExtensionFailed) as refused:
        async with started(found(tmp_path), told.context):
            pass
    assert "The extension 'needed' is required and did not start: " in str(refused.value)
    assert [each for each in told if each != "stop raises"] == ["a starts", "b starts", "b stops", "a stops"]


async def test_a_cancelled_start_stops_the_started_extensions(tmp_path: Path, told: Told) -> None:
    extension(tmp_path, "a")
    extension(tmp_path, "b")
    extension(tmp_path, "c", after("start", FOREVER))
    starting = asyncio.create_task(AsyncExitStack().enter_async_context(started(found(tmp_path), told.context)))
    await told.until("c starts")
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert told == ["a starts", "b starts", "c starts", "c stops", "b stops", "a stops"]


async def test_an_extension_that_does_not_stop_is_left_behind(
    tmp_path: Path, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    """It ignores its cancellation until the file exists. Another one fails while it stops."""
    go_on = tmp_path / "go on"
    stubborn = f"""
        import pathlib
        while not pathlib.Path({str(go_on)!r}).exists():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                pass
        self.told.append("c ends")
    """
    extension(tmp_path, "a")
    extension(tmp_path, "b", after("start", indent(dedent(stubborn), " " * 16).strip()))
    extension(tmp_path, "c", after("stop", indent(dedent(stubborn), " " * 16).strip()))
    extension(tmp_path, "d", after("stop", "raise OSError('what somebody said')"))
    with caplog.at_level(logging.WARNING):
        async with started(found(tmp_path), told.context, starting=0.05, stopping=0.05) as loaded:
            assert states(loaded) == {"a": None, "b": "TimeoutError: took longer than 0.05 s", "c": None, "d": None}
    assert told == [*("a starts", "b starts", "b stops", "c starts", "d starts"), *("d stops", "c stops", "a stops")]
    assert caplog.messages == [
        "the extension d failed while it stopped (OSError)",
        "the extension c failed while it stopped (TimeoutError)",
    ]
    go_on.touch()
    await told.until("c ends")


async def test_a_cancelled_stop_still_stops_the_others(tmp_path: Path, told: Told) -> None:
    extension(tmp_path, "a")
    extension(tmp_path, "b", after("stop", FOREVER))
    stack = AsyncExitStack()
    await stack.enter_async_context(started(found(tmp_path), told.context))
    stopping = asyncio.create_task(stack.aclose())
    await told.until("b stops")
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert told[2:] == ["b stops", "a stops"]
