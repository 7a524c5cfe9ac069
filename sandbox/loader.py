"""From folders to running extensions: found, put in order, imported, checked, started and stopped."""

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from sandbox.errors import (
    BrokenExtension,
    DependencyCycle,
    DuplicateExtension,
    InvalidSettings,
    MissingDependency,
    RequiredExtensionFailed,
)
from sandbox.fields import Fields
from sandbox.manifest import MANIFEST, RESERVED, Manifest, read_manifest
from sandbox.protocols import ROLES, Extension
from sandbox.roles import flaw
from sandbox.settings import Settings

if TYPE_CHECKING:
    from sandbox.host import ExtensionContext

logger = logging.getLogger(__name__)

MakeContext: TypeAlias = "Callable[[Manifest, Mapping[str, Extension]], ExtensionContext]"

BUILT_IN = (Path(__file__).parent / "extensions", "sandbox.extensions")
START_SECONDS = STOP_SECONDS = 30.0  # a large memory may have to be migrated, a queue to be drained


# --- finding ----------------------------------------------------------------------------------------------------------


def installed(settings: Settings) -> list[Manifest]:
    """The extensions that come with the kernel and those in the folders a person named, each after those it depends on,
    and the sections of the settings checked against them. Raises what ``discover`` and ``check_sections`` raise.
    """
    manifests = discover([BUILT_IN, *((folder, None) for folder in settings.kernel.extensions)])
    check_sections(manifests, settings)
    return manifests


def discover(folders: Sequence[tuple[Path, str | None]]) -> list[Manifest]:
    """The extensions in the folders, each after those it depends on, otherwise by id. A folder holds extensions, or is
    one; with it comes the package that it is, None where it is outside of any.

    Raises ``InvalidManifest``, ``DuplicateExtension``, ``MissingDependency``, ``DependencyCycle``.
    """
    known: dict[str, Manifest] = {}
    for file, package in _manifests(folders):
        manifest = read_manifest(file, package)
        first = known.setdefault(manifest.id, manifest)
        if first is not manifest:
            raise DuplicateExtension(id=manifest.id, first=first.folder, second=manifest.folder)
    return [known[id] for id in _ordered({id: known[id].depends_on for id in sorted(known)})]


def _manifests(folders: Sequence[tuple[Path, str | None]]) -> list[tuple[Path, str | None]]:
    files: list[tuple[Path, str | None]] = []
    for folder, package in folders:
        if (folder / MANIFEST).is_file():
            files.append((folder / MANIFEST, package))
        else:
            for file in sorted(folder.glob(f"*/{MANIFEST}")):
                files.append((file, package and f"{package}.{file.parent.name}"))
    return files


def _ordered(graph: Mapping[str, Sequence[str]]) -> list[str]:
    """Every id after those it depends on; the graph is sorted by id, so that the same ids give the same order."""
    for id, needed in graph.items():
        for missing in needed:
            if missing not in graph:
                raise MissingDependency(id=id, missing=missing, known=", ".join(graph))
    sorter = TopologicalSorter(graph)
    try:
        sorter.prepare()
    except CycleError as error:
        raise DependencyCycle(cycle=" -> ".join(reversed(error.args[1]))) from error
    order: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order += ready
        sorter.done(*ready)
    return order


# --- settings ---------------------------------------------------------------------------------------------------------


def config_of(manifest: Manifest, settings: Settings) -> Mapping[str, Any]:
    """The manifest's `config` with the person's section over it. Raises ``InvalidSettings``."""
    if settings.sections.get(manifest.id) is None:
        return manifest.config
    section = Fields(settings.file, settings.sections, InvalidSettings).part(manifest.id)
    section.only(manifest.config)
    return {**manifest.config, **section.values}


def check_sections(manifests: Sequence[Manifest], settings: Settings) -> None:
    """Refuse, with ``InvalidSettings``, sections and keys of sections that are nobody's."""
    known = [*RESERVED, *(manifest.id for manifest in manifests)]
    for key in settings.sections:
        if key not in known:
            owners = [f"`{manifest.id}:`" for manifest in manifests if key in manifest.config]
            unknown = f"is unknown; known are: {', '.join(known)}"
            problem = f"is a setting of an extension: put it under {' or '.join(owners)}" if owners else unknown
            raise InvalidSettings(file=settings.file, key=key, problem=problem)
    for manifest in manifests:
        config_of(manifest, settings)


# --- loading ----------------------------------------------------------------------------------------------------------


def load(manifest: Manifest) -> Extension:
    """The extension, made and checked to play the roles that its manifest names, and no others. It is not started.

    Raises ``BrokenExtension``.
    """
    try:
        extension = _class(manifest)()
        problem = _unkept(extension, manifest.provides)
    except Exception as error:  # it is somebody else's code
        raise BrokenExtension(id=manifest.id, problem=_told(error)) from error
    if problem is not None:
        raise BrokenExtension(id=manifest.id, problem=problem)
    return cast(Extension, extension)


def _class(manifest: Manifest) -> Callable[[], object]:
    module, _, name = manifest.entrypoint.partition(":")
    package = manifest.package or _packaged(manifest)
    made: Callable[[], object] = getattr(import_module(f"{package}.{module}"), name)
    return made


def _packaged(manifest: Manifest) -> str:
    """Make the folder a package of a name of its own, afresh, so that its modules can import each other."""
    name = f"sandbox_extension_{manifest.id}"
    for known in list(sys.modules):
        if known == name or known.startswith(f"{name}."):
            del sys.modules[known]
    file, places = manifest.folder / "__init__.py", [str(manifest.folder)]
    spec = spec_from_file_location(name, file, submodule_search_locations=places) if file.exists() else None
    if spec is None or spec.loader is None:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = places
    sys.modules[name] = module_from_spec(spec)
    if spec.loader is not None:
        spec.loader.exec_module(sys.modules[name])
    return name


def _unkept(extension: object, provides: Sequence[str]) -> str | None:
    """What the manifest promises and the object does not keep, or the other way round."""
    for role in (Extension, *(ROLES[name] for name in provides)):
        if problem := flaw(extension, role):
            return problem
    for name, role in ROLES.items():
        if name not in provides and flaw(extension, role) is None:
            return f"it plays {name}, which `provides` in its manifest does not name; add it"
    return None


def _told(error: BaseException) -> str:
    """Kind and message, without the full stop."""
    return f"{type(error).__name__}: {error}".strip().rstrip(".:")


# --- running ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loaded:
    """An extension that runs, or ``problem``: why it does not."""

    manifest: Manifest
    extension: Extension | None
    problem: str | None = None


async def start_all(
    manifests: Sequence[Manifest],
    make_context: MakeContext,
    *,
    seconds: float = START_SECONDS,
) -> list[Loaded]:
    """Load and start the extensions, in this order. One that cannot be, or takes longer than ``seconds``, leaves the
    others running. ``make_context`` gets those of its ``depends_on`` that run.

    Raises ``RequiredExtensionFailed``. Whatever it raises, what was started is stopped.
    """
    loaded: list[Loaded] = []
    try:
        for manifest in manifests:
            loaded.append(await _start(manifest, make_context, loaded, seconds))
            if manifest.required and loaded[-1].problem is not None:
                raise RequiredExtensionFailed(id=manifest.id, problem=loaded[-1].problem)
    except BaseException:
        await stop_all(loaded)
        raise
    return loaded


async def stop_all(loaded: Sequence[Loaded], *, seconds: float = STOP_SECONDS) -> None:
    """Stop what runs, in reverse order. One that fails, or takes longer than ``seconds``, keeps no other from it."""
    async with AsyncExitStack() as stack:  # which goes on to the others even where one is cancelled
        for each in loaded:
            if each.extension is not None:
                stack.push_async_callback(_stop, each.manifest.id, each.extension, seconds)


async def _start(manifest: Manifest, make_context: MakeContext, loaded: Sequence[Loaded], seconds: float) -> Loaded:
    try:
        extension = load(manifest)
    except BrokenExtension as error:
        return Loaded(manifest, None, error.details["problem"])
    running = {each.manifest.id: each.extension for each in loaded if each.extension is not None}
    context = make_context(manifest, {id: running[id] for id in manifest.depends_on if id in running})
    try:
        async with asyncio.timeout(seconds) as limit:
            await extension.start(context)
    except BaseException as error:
        problem = f"it did not start within {seconds:g} s" if limit.expired() else _told(error)
        unstopped = await _stop(manifest.id, extension, seconds)
        if not isinstance(error, Exception):
            raise
        return Loaded(manifest, None, problem + (f"; stopping it failed too: {unstopped}" if unstopped else ""))
    return Loaded(manifest, extension)


async def _stop(id: str, extension: Extension, seconds: float) -> str | None:
    """Kind of the error; None: it stopped in order."""
    try:
        async with asyncio.timeout(seconds):
            await extension.stop()
    except Exception as error:
        logger.warning("the extension %s did not stop in order: %s", id, type(error).__name__)
        return type(error).__name__
    return None
