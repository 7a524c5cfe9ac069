"""What a person may set, and what is said about a wrong setting."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sandbox.errors import InvalidSettings, UnreadableSettings
from sandbox.loader import check_sections, config_of, retired
from sandbox.manifest import Manifest
from sandbox.settings import CONFIG, KernelSettings, Settings, read_settings


def write(folder: Path, text: str | bytes) -> Path:
    file = folder / CONFIG
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def extension(id: str, **config: Any) -> Manifest:
    return Manifest(id, id, Path("nowhere"), "main:It", config=config)


GARDEN, KITCHEN = extension("garden", litres=3, beds=["roses"], key=None), extension("kitchen", litres=1, knives=2)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    expected = KernelSettings(session_idle_minutes=30, context_seconds=2)
    (tmp_path / "file").touch()
    nowhere = [tmp_path / name / CONFIG for name in ("not there", "file")]
    for file in (*nowhere, write(tmp_path, "kernel:\nmodels:\n")):
        settings = read_settings(file)
        assert settings == Settings(file, expected)
        assert (settings.kernel.timezone, settings.kernel.extensions) == (None, ())


def test_every_key_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    file = write(
        tmp_path,
        f"""
kernel:
  session_idle_minutes: 5
  context_seconds: 0.5
  timezone: Europe/Berlin
  extensions: [mine, {tmp_path}]
models: {{default: {{model: small}}}}
garden: {{litres: 9}}
""",
    )
    settings = read_settings(file)
    folders = (tmp_path / "mine", tmp_path)
    assert settings.kernel == KernelSettings(5.0, 0.5, ZoneInfo("Europe/Berlin"), folders)
    assert (settings.models, settings.sections) == ({"default": {"model": "small"}}, {"garden": {"litres": 9}})


def test_a_tilde_means_the_users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_settings(write(tmp_path, "kernel: {extensions: ['~']}")).kernel.extensions == (tmp_path,)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kernel: 3", "`kernel` must be keys and values"),
        ("models: [a]", "`models` must be keys and values"),
        ("kernel: {colour: red}", "`kernel.colour` is unknown; known are: session_idle_minutes, context_seconds, tim"),
        ("kernel: {session_idle_minutes: 0}", "`kernel.session_idle_minutes` must be a number above 0"),
        ("kernel: {session_idle_minutes: true}", "`kernel.session_idle_minutes` must be a number above 0"),
        (f"kernel: {{session_idle_minutes: {10**400}}}", "`kernel.session_idle_minutes` must be a number above 0"),
        ("kernel: {session_idle_minutes: 1.0e+15}", "`kernel.session_idle_minutes` must be a number above 0"),
        ("kernel: {context_seconds: .nan}", "`kernel.context_seconds` must be a number above 0"),
        ("kernel: {context_seconds: .inf}", "`kernel.context_seconds` must be a number above 0"),
        ("kernel: {context_seconds: '2'}", "`kernel.context_seconds` must be a number above 0"),
        ("kernel: {timezone: Middle/Earth}", "`kernel.timezone` names no time zone; one is named like Europe/Berlin."),
        ("kernel: {timezone: America}", "`kernel.timezone` names no time zone;"),
        ("kernel: {timezone: ../../etc/passwd}", "`kernel.timezone` names no time zone;"),
        ("kernel: {timezone: 2}", "`kernel.timezone` must be a text"),
        ("kernel: {extensions: mine}", "`kernel.extensions` must be a list"),
        ("kernel: {extensions: ['~nobody-at-all/x']}", "`kernel.extensions[0]` is no folder: "),
        ("kernel: {timezone: sk-secret}", "`kernel.timezone` names no time zone;"),
        ("kernel: {context_seconds: sk-secret}", "`kernel.context_seconds` must be a number above 0."),
        ("models: sk-secret", "`models` must be keys and values."),
        # sections
        ("gardn: {litres: 1}", "`gardn` is unknown; near to it is `garden`."),
        ("knives: 3", "`knives` is a setting of an extension: put it under `kitchen:`."),
        ("litres: 3", "`litres` is a setting of an extension: put it under `garden:` or `kitchen:`."),
        ("1: 3", "`1` is unknown;"),
        ("kitchen: {spoons: 3}", "`kitchen.spoons` is unknown; known are: litres, knives."),
        ("kitchen: 3", "`kitchen` must be keys and values"),
        ("kitchen: {2: 3}", "`kitchen.2` is no text; put it in quotes."),
        ("shed: {colour: red}", "`shed.colour` is unknown; known are: none."),
    ],
)
def test_a_wrong_value_is_named_with_its_key(tmp_path: Path, text: str, problem: str) -> None:
    """The value is not repeated, because a person may paste a key in a wrong place."""
    file = write(tmp_path, text)
    with pytest.raises(InvalidSettings) as refused:
        check_sections([GARDEN, KITCHEN, extension("shed")], read_settings(file))
    assert str(refused.value).startswith(f"{file}: {problem}")
    assert "sk-secret" not in str(refused.value)


def test_a_file_without_settings_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSettings, match=r"config.yaml cannot be read: it holds list, not keys and values\."):
        read_settings(write(tmp_path, "- garden"))


# --- sections ---------------------------------------------------------------------------------------------------------


def test_a_section_overrides_the_manifest(tmp_path: Path) -> None:
    settings = read_settings(write(tmp_path, "garden: {litres: null, beds: [leeks]}\nkitchen:\n"))
    check_sections([GARDEN, KITCHEN], settings)
    assert config_of(GARDEN, settings) == {"litres": None, "beds": ["leeks"], "key": None}
    assert config_of(KITCHEN, settings) == {"litres": 1, "knives": 2}
    assert GARDEN.config["litres"] == 3


def test_a_removed_setting_is_ignored_and_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    old = replace(GARDEN, retired={"acres": "set `litres`"})
    settings = read_settings(write(tmp_path, "garden: {acres: 2, litres: 4}"))
    check_sections([old, KITCHEN], settings)
    assert config_of(old, settings) == {"litres": 4, "beds": ["roses"], "key": None}
    told = [f"{settings.file}: `garden.acres` is no setting any more: set `litres`."]
    assert retired([old, KITCHEN], settings) == [record.getMessage() for record in caplog.records] == told
