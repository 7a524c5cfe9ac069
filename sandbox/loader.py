"""From folders to running extensions: find, order, import, check, start and stop them."""

import logging
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from inspect import get_annotations, iscoroutinefunction, signature
from pathlib import Path
from typing import Any, cast

from sandbox import errors
from sandbox.cron import Cron
from sandbox.guarded_calls import Failed, attempt
from sandbox.manifest import MANIFEST, Manifest, Schedule, read_manifest
from sandbox.protocols import ROLES, Extension, ExtensionContext
from sandbox.settings import RESERVED, Settings
from sandbox.support.fields import Fields

logger = logging.getLogger(__name__)

MakeContext = Callable[[Manifest, Mapping[str, Extension]], ExtensionContext]

BUILT_IN = Path(__file__).parent / "extensions"
_QUESTIONS: Mapping[str, Mapping[str, tuple[object, ...]]] = {  # calls with empty arguments
    "ToolProvider": {"tools": (), "guidance": ()},
    "AgentProvider": {"agent": ((), "")},
    "CommandProvider": {"commands": ()},
}
STARTING = 30.0  # seconds; a large memory may have to be migrated
STOPPING = 10.0  # seconds; a queue may have to be drained


# --- finding ----------------------------------------------------------------------------------------------------------


def installed(settings: Settings) -> list[Manifest]:
    """The extensions that come with the kernel and those in configured folders, in the order of their dependencies; the
    sections of the settings are checked. Raises like ``discover`` and ``check_sections``.
    """
    manifests = discover([BUILT_IN, *settings.kernel.extensions])
    check_sections(manifests, settings)
    return manifests


def discover(folders: Sequence[Path]) -> list[Manifest]:
    """The extensions in the folders, in the order of their dependencies, otherwise by id. A folder contains extensions,
    or is one.

    Raises ``InvalidManifest``, ``DuplicateExtension``, ``MissingDependency``, ``DependencyCycle``.
    """
    known: dict[str, Manifest] = {}
    for folder in folders:
        for file in sorted(folder.glob(MANIFEST)) or sorted(folder.glob(f"*/{MANIFEST}")):
            manifest = read_manifest(file)
            first = known.setdefault(manifest.id, manifest)
            if first is not manifest:
                raise errors.DuplicateExtension(id=manifest.id, first=first.folder, second=manifest.folder)
    return [known[id] for id in _ordered({id: known[id].depends_on for id in sorted(known)})]


def _ordered(graph: Mapping[str, Sequence[str]]) -> list[str]:
    """The ids in the order of their dependencies, the same for the same ids."""
    sorter = TopologicalSorter(dict.fromkeys(graph, ()))
    for id, needed in graph.items():
        for missing in needed:
            if missing not in graph:
                raise errors.MissingDependency(id=id, missing=missing, known=", ".join(graph))
        sorter.add(id, *needed)
    try:
        return list(sorter.static_order())
    except CycleError as error:
        raise errors.DependencyCycle(cycle=" -> ".join(reversed(error.args[1]))) from error


# --- settings ---------------------------------------------------------------------------------------------------------


def config_of(manifest: Manifest, settings: Settings) -> Mapping[str, Any]:
    """The manifest's `config`, overridden by the person's, without obsolete settings. Raises ``InvalidSettings``."""
    section = _section(manifest, settings)
    current = {key: value for key, value in section.values.items() if key not in manifest.retired}
    replace(section, values=current).only(manifest.config)
    return {**manifest.config, **current}


def retired(manifests: Sequence[Manifest], settings: Settings) -> list[str]:
    """A sentence about each obsolete setting that a person has set."""
    return [warning for each in manifests for warning in _section(each, settings).retired(each.retired)]


def _section(manifest: Manifest, settings: Settings) -> Fields:
    sections = Fields(settings.file, settings.sections, errors.InvalidSettings)
    is_there = settings.sections.get(manifest.id) is not None
    return sections.part(manifest.id) if is_there else replace(sections, values={})


def check_sections(manifests: Sequence[Manifest], settings: Settings) -> None:
    """Raise ``InvalidSettings`` for unknown sections and keys; warn about obsolete settings."""
    sections = Fields(settings.file, settings.sections, errors.InvalidSettings)
    known = [*RESERVED, *(manifest.id for manifest in manifests)]
    for key in sections.values:
        owners = [f"`{manifest.id}:`" for manifest in manifests if key in manifest.config]
        if owners and key not in known:
            raise sections.refused(key, f"is a setting of an extension: put it under {' or '.join(owners)}")
    sections.only(known)
    for manifest in manifests:
        config_of(manifest, settings)
    for warning in retired(manifests, settings):
        logger.warning("%s", warning)


# --- loading ----------------------------------------------------------------------------------------------------------


def load(manifest: Manifest) -> Extension:
    """Create the extension, and check its crons, and that it plays exactly the roles of its manifest. It is not
    started.

    Raises ``BrokenExtension``.
    """
    try:
        extension = _class(manifest)()
        problem = _unkept(extension, manifest.provides) or _unplanned(manifest.schedules)
    except (Exception, SystemExit) as error:  # it is code of others
        raise errors.BrokenExtension(id=manifest.id, problem=_described(error)) from error
    if problem is not None:
        raise errors.BrokenExtension(id=manifest.id, problem=problem)
    return cast(Extension, extension)


def _class(manifest: Manifest) -> Callable[[], object]:
    module, _, name = manifest.entrypoint.partition(":")
    is_built_in = manifest.folder.parent == BUILT_IN
    package = f"{__package__}.extensions.{manifest.folder.name}" if is_built_in else _packaged(manifest)
    made: Callable[[], object] = getattr(import_module(f"{package}.{module}"), name)
    return made


def _packaged(manifest: Manifest) -> str:
    """Make the folder a package of its own, so that its modules can import each other."""
    name = f"sandbox_extension_{manifest.id}"
    for known in list(sys.modules):
        if known == name or known.startswith(f"{name}."):
            del sys.modules[known]
    file = manifest.folder / "__init__.py"
    spec = cast(ModuleSpec, spec_from_file_location(name, file, submodule_search_locations=[str(file.parent)]))
    sys.modules[name] = module_from_spec(spec)
    if file.exists() and spec.loader is not None:
        spec.loader.exec_module(sys.modules[name])
    return name


def _unkept(extension: object, provides: Sequence[str]) -> str | None:
    """The difference between the roles of the manifest and those of the object."""
    for role in (Extension, *(ROLES[name] for name in provides)):
        if problem := _flaw(extension, role):
            return problem
    for name, role in ROLES.items():
        if name not in provides and _flaw(extension, role) is None:
            return f"it plays {name}, which `provides` in its manifest does not name; add it"
    return None


def _unplanned(schedules: Sequence[Schedule]) -> str | None:
    """Why a task has no time. It is not asked when the manifest is read, because a command needs no times, and parsing
    crons takes a twentieth of its time.
    """
    for each in schedules:
        try:
            Cron(each.cron)
        except ValueError as error:
            return f"the `cron` of its task {each.task} is no cron expression: {error}"
    return None


def _flaw(player: object, role: type) -> str | None:
    """Why the object cannot play the role: an attribute or a method that does not fit."""
    for name, promised in {**get_annotations(role), **vars(role)}.items():
        if not name.startswith("_") and (problem := _misfit(getattr(player, name, None), promised)):
            return f"`{name}` of {role.__name__} {problem}"
    return None


def _misfit(found: object, promised: type | Callable[..., Any]) -> str | None:
    if isinstance(promised, type):
        return None if isinstance(found, promised) else f"must be there, of type {promised.__name__}"
    if found is None:
        return "is missing"
    if not callable(found):
        return "is not a method"
    if iscoroutinefunction(found) != iscoroutinefunction(promised):
        return "must be `async def`" if iscoroutinefunction(promised) else "must not be `async def`"
    arguments = list(signature(promised).parameters)[1:]
    try:
        signature(found).bind(*arguments)
    except TypeError:
        return f"must take ({', '.join(arguments)})"
    return None


def _described(error: BaseException) -> str:
    """Kind and message, without the full stop."""
    return f"{type(error).__name__}: {error}".strip().rstrip(".:")


# --- running ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loaded:
    """A running extension, or the ``problem`` why it does not run."""

    manifest: Manifest
    extension: Extension | None
    problem: str | None = None


def playing(loaded: Sequence[Loaded], role: str) -> list[tuple[Manifest, Any]]:
    """The running extensions that play a role."""
    running = [(each.manifest, each.extension) for each in loaded if each.extension is not None]
    return [(manifest, extension) for manifest, extension in running if role in manifest.provides]


@asynccontextmanager
async def started(
    manifests: Sequence[Manifest], make_context: MakeContext, *, starting: float = STARTING, stopping: float = STOPPING
) -> AsyncIterator[list[Loaded]]:
    """The extensions, loaded and started in this order; at the end they stop in reverse. If one cannot start, or takes
    longer than ``starting`` seconds, the others run without it; one that does not stop in ``stopping`` seconds is
    abandoned. ``make_context`` gets the running ones of its ``depends_on``. Raises ``RequiredExtensionFailed``.
    """
    loaded: list[Loaded] = []
    async with AsyncExitStack() as stack:  # it continues with the others even if one is cancelled
        for manifest in manifests:
            loaded.append(await _start(manifest, make_context, loaded, starting, stopping))
            extension = loaded[-1].extension
            if extension is not None:
                stack.push_async_callback(_stop, manifest.id, extension, stopping)
            elif manifest.required:
                raise errors.RequiredExtensionFailed(id=manifest.id, problem=loaded[-1].problem)
        yield loaded


async def _start(
    manifest: Manifest, make_context: MakeContext, loaded: Sequence[Loaded], starting: float, stopping: float
) -> Loaded:
    try:
        extension = load(manifest)
    except errors.BrokenExtension as error:
        return Loaded(manifest, None, error.details["problem"])
    running = {each.manifest.id: each.extension for each in loaded if each.extension is not None}
    context = make_context(manifest, {id: running[id] for id in manifest.depends_on if id in running})
    try:
        await attempt(_begin(extension, manifest, context), starting)
    except BaseException as error:
        unstopped = await _stop(manifest.id, extension, stopping)
        if not isinstance(error, Failed):
            raise
        more = f"; stopping it failed too: {unstopped}" if unstopped else ""
        return Loaded(manifest, None, _described(error.error) + more)
    return Loaded(manifest, extension)


async def _begin(extension: Any, manifest: Manifest, context: ExtensionContext) -> None:
    """Start it, and call once what will be called again; an extension that cannot answer does not run."""
    await extension.start(context)
    for role in manifest.provides:
        for question, arguments in _QUESTIONS.get(role, {}).items():
            getattr(extension, question)(*arguments)


async def _stop(id: str, extension: Extension, seconds: float) -> str | None:
    """Stop it; return the kind of its error, or None."""
    try:
        await attempt(extension.stop(), seconds)
    except Failed as failed:
        logger.warning("the extension %s failed while it stopped (%s)", id, failed.kind)
        return failed.kind
    return None
