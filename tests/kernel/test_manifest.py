"""What a manifest may contain, and what is said about a wrong one."""

from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.errors import InvalidManifest
from sandbox.manifest import Schedule, read_manifest

LEAST = "id: garden\nentrypoint: main:Garden\n"
FULL = """
id: garden
name: Garden
description: Knows when to water.
entrypoint: inner.main:Garden
provides: [ToolProvider, SchedulerProvider]
depends_on: [memory]
required: true
config: {litres: 3, beds: [roses, leeks]}
retired: {acres: "set `litres`"}
schedules:
  - {task: water, cron: "0 6 * * mon-fri"}
  - {task: weed, cron: "*/30 8-18 1,15 * */2"}
secrets: [GARDEN_KEY]
"""


def write(folder: Path, text: str | bytes) -> Path:
    file = folder / "manifest.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def refusal(folder: Path, text: str | bytes) -> str:
    """The error about a manifest, without the file name at its beginning."""
    file = write(folder, text)
    with pytest.raises(InvalidManifest) as refused:
        read_manifest(file)
    message = str(refused.value)
    assert message.startswith(str(file))
    assert message.endswith(".")
    return message.removeprefix(str(file)).lstrip(": ")


def test_every_key_is_read(tmp_path: Path) -> None:
    manifest = read_manifest(write(tmp_path, FULL))
    assert (manifest.id, manifest.name, manifest.description) == ("garden", "Garden", "Knows when to water.")
    assert (manifest.folder, manifest.entrypoint) == (tmp_path, "inner.main:Garden")
    assert manifest.provides == ("ToolProvider", "SchedulerProvider")
    assert (manifest.depends_on, manifest.required, manifest.secrets) == (("memory",), True, ("GARDEN_KEY",))
    assert manifest.config == {"litres": 3, "beds": ["roses", "leeks"]}
    assert manifest.retired == {"acres": "set `litres`"}
    assert manifest.schedules == (Schedule("water", "0 6 * * mon-fri"), Schedule("weed", "*/30 8-18 1,15 * */2"))


@pytest.mark.parametrize("rest", ["", "provides:\nconfig:\nschedules: null\n", "provides: []\nconfig: {}\n"])
def test_an_id_and_an_entrypoint_are_enough(tmp_path: Path, rest: str) -> None:
    manifest = read_manifest(write(tmp_path, LEAST + rest))
    assert (manifest.name, manifest.required) == ("garden", False)
    assert (manifest.provides, manifest.depends_on, manifest.schedules, manifest.secrets) == ((), (), (), ())
    assert (manifest.config, manifest.retired) == ({}, {})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("entrypoint: main:Garden", "`id` is missing."),
        ("id: garden", "`entrypoint` is missing."),
        ("id: garden\nentrypoint: null", "`entrypoint` is missing."),
        (LEAST + "colour: green", "`colour` is unknown; known are: id, name, entrypoint, description, provides,"),
        (LEAST + "no: 1", "`False` is unknown;"),
        ("id: 7\nentrypoint: main:Garden", "`id` must be a text"),
        ("id: Garden\nentrypoint: main:Garden", "`id` must be of small letters, digits and `_`"),
        ("id: 7th\nentrypoint: main:Garden", "`id` must be of small letters"),
        (
            "id: models\nentrypoint: main:Garden",
            "`id` must be of small letters, digits and `_`, begin with a letter, and be none of kernel, models.",
        ),
        ("id: garden\nentrypoint: main.Garden", "`entrypoint` must name a module in the folder and a class in it"),
        ("id: garden\nentrypoint: ../main:Garden", "`entrypoint` must name a module"),
        (LEAST + "name: ' '", "`name` must not be empty."),
        (LEAST + "description: [a]", "`description` must be a text"),
        (LEAST + "required: maybe", "`required` must be true or false"),
        (LEAST + "provides: ToolProvider", "`provides` must be a list"),
        (LEAST + "provides: [ToolProvider, Gnome]", "`provides[1]` is no role; known are: ToolProv"),
        (LEAST + "provides: [3]", "`provides[0]` must be a text"),
        (LEAST + "depends_on: [a, a]", "`depends_on[1]` stands there twice."),
        (LEAST + "config: 3", "`config` must be keys and values"),
        (LEAST + "config: {on: 3}", "`config.True` is no text; put it in quotes."),
        (LEAST + "retired: [a]", "`retired` must be keys and values"),
        (LEAST + "retired: {acres: 3}", "`retired.acres` must be a text"),
        (LEAST + "secrets: [3]", "`secrets[0]` must be a text"),
        (LEAST + "secrets: ['']", "`secrets[0]` must not be empty."),
        (
            LEAST + "schedules: [{task: water, cron: 0 6 * * *}]\nprovides: [ToolProvider]",
            "`schedules` needs SchedulerProvider among `provides`.",
        ),
        # no manifest at all
        (LEAST + "config: {a: 1\n", "cannot be read: it is not YAML (line 4: expected ',' or '}'"),
        (LEAST + "id: other\n", "cannot be read: it is not YAML (line 3: `id` stands there twice)."),
        (LEAST + "config: {a: {b: 1, b: 2}}", "cannot be read: it is not YAML (line 3: `b` stands there twice)."),
        (LEAST + "name: \x07", "cannot be read: it is not YAML (line 3: special characters are not allowed)."),
        (LEAST + "name: !!python/object:os.path {}", "cannot be read: it is not YAML (line 3: could not determine a c"),
        (LEAST + "name: 2026-13-45", "cannot be read: month must be in 1..12"),
        (LEAST + "config: " + "[" * 5000, "cannot be read: it is nested too deeply."),
        ("- id", "cannot be read: it holds list, not keys and values."),
        ("garden", "cannot be read: it holds str, not keys and values."),
        (LEAST.encode("utf-16"), "cannot be read: it is not UTF-8."),
        ("", "`id` is missing."),
    ],
)
def test_a_wrong_value_is_named_with_its_key(tmp_path: Path, text: str | bytes, problem: str) -> None:
    assert refusal(tmp_path, text).startswith(problem)


@pytest.mark.parametrize(
    ("schedules", "problem"),
    [
        ("water", "`schedules` must be a list"),
        ("[water]", "`schedules[0]` must be keys and values"),
        ("[{cron: 0 3 * * *}]", "`schedules[0].task` is missing."),
        ("[{task: water}]", "`schedules[0].cron` is missing."),
        ("[{task: water, cron: 0 3 * * *, zone: UTC}]", "`schedules[0].zone` is unknown; known are: task, cron."),
        ("[{task: a, cron: 3}]", "`schedules[0].cron` must be a text"),
        ("[{task: a, cron: 0 3 * * *}, {task: a, cron: 0 3 * * *}]", "`schedules[1]` stands there twice."),
        ("[{task: a, cron: 0 3 * * *}, {task: a, cron: 0 4 * * *}]", "`schedules` must name each task once."),
    ],
)
def test_a_wrong_schedule_is_named_with_its_place(tmp_path: Path, schedules: str, problem: str) -> None:
    text = f"{LEAST}provides: [SchedulerProvider]\nschedules: {schedules}\n"
    assert refusal(tmp_path, text).startswith(problem)


def test_an_unreadable_manifest_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InvalidManifest, match=r"cannot be read: Is a directory\."):
        read_manifest(tmp_path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["id", "name", "entrypoint", "provides", "depends_on", "required", "config", "retired", "schedules", "secrets"]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.dictionaries(KEYS | st.text(max_size=5), VALUES, max_size=6))
def test_any_manifest_is_read_or_refused(tmp_path: Path, values: dict[str, object]) -> None:
    file = write(tmp_path, LEAST if not values else yaml.safe_dump({"id": "a", "entrypoint": "b:C"} | values))
    with suppress(InvalidManifest):
        assert read_manifest(file).folder == tmp_path
