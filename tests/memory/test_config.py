"""Settings: the defaults of the manifest, overridden by the caller, checked once."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ConfigurationError
from sandbox.support.fields import readers_of

MANIFEST = yaml.safe_load(files("sandbox.extensions.memory").joinpath("manifest.yaml").read_text(encoding="utf-8"))
KEYS = sorted(readers_of(Config))
COUNTS = [key for key, value in MANIFEST["config"].items() if isinstance(value, int)]
MEASURES = [key for key, value in MANIFEST["config"].items() if isinstance(value, float)]
NUMBERS = COUNTS + MEASURES


def test_the_settings_and_their_defaults_are_those_of_the_manifest() -> None:
    assert sorted(MANIFEST["config"]) == KEYS
    loaded = Config.load()
    for key, value in MANIFEST["config"].items():
        assert getattr(loaded, key) == (tuple(value) if isinstance(value, list) else value)


def test_a_removed_setting_is_ignored_and_named(caplog: pytest.LogCaptureFixture) -> None:
    gone = MANIFEST["retired"]
    assert gone
    assert not set(gone) & set(KEYS)
    assert Config.load(dict.fromkeys(gone, "whatever")) == Config.load()
    assert [key for key in gone if f"`{key}` is no setting any more" in caplog.text] == list(gone)


def test_an_override_changes_one_setting_only() -> None:
    loaded, default = Config.load({"purge_days": 10, "categories": ["note"]}), Config.load()
    assert (loaded.purge_days, loaded.categories) == (10, ("note",))
    assert [key for key in KEYS if getattr(loaded, key) != getattr(default, key)] == ["categories", "purge_days"]


@pytest.mark.parametrize("key", ["purge_dayss", "decay-threshold", "PURGE_DAYS", ""])
def test_an_unknown_key_is_named_with_its_file_and_the_nearest(key: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        Config.load({key: 1}, file="home/config.yaml")
    message = str(refused.value)
    assert message.startswith(f"home/config.yaml: `{key}` is unknown")
    assert "near to it is `" in message or all(known in message for known in KEYS)


@pytest.mark.parametrize("value", [True, False, "1", -1, -0.001, [1], {}, float("nan"), float("inf"), float("-inf")])
def test_a_value_that_is_not_a_number_is_refused_with_file_and_key(value: Any) -> None:
    for key in NUMBERS:
        with pytest.raises(ConfigurationError) as refused:
            Config.load({key: value}, file="home/config.yaml")
        assert str(refused.value).startswith(f"home/config.yaml: `{key}` ")


def test_null_is_the_default() -> None:
    assert Config.load(dict.fromkeys(KEYS)) == Config.load()


MODES, TRUSTS = "relevant, recent_only, off", "web, tool, assistant, user, confirmed"


@pytest.mark.parametrize(
    ("overrides", "place", "problem"),
    [
        *(({key: 1.5}, key, "whole number") for key in COUNTS),
        *(({"context_mode": value}, "context_mode", MODES) for value in ("sometimes", "", 1, True, ["off"])),
        *(({"quarantine_below": value}, "quarantine_below", TRUSTS) for value in ("nobody", 3, ["web"])),
        (yaml.safe_load("context_mode: off"), "context_mode", "not False; YAML reads on, off, yes and no as true and"),
        ({"categories": "fact"}, "categories", "must be a list, not 'fact'"),
        ({"categories": 5}, "categories", "must be a list, not 5"),
        ({"categories": [""]}, "categories[0]", "must not be empty"),
        ({"categories": ["note", 1]}, "categories[1]", "must be a text, not 1"),
        ({"categories": ["note", "note"]}, "categories[1]", "stands there twice"),
        ({"categories": []}, "categories", "must have 1 or more members"),
        ({"unused_days": {"fact": -1}}, "unused_days.fact", "must be a whole number, 0 or more, not -1"),
        ({"category_lasts": {"fact": "forever"}}, "category_lasts.fact", "must be one of always, .*, not 'forever'"),
        ({"allowlists": {"planner": "project"}}, "allowlists.planner", "must be a list"),
        ({"allowlists": {"planner": ["event", "projct"]}}, "allowlists.planner.projct", "near to it is `project`"),
        *(
            ({"consent": {row: "ask"}}, f"consent.{row}", "is unknown; (near|known)")
            for row in ("citi", "alergy", "prefrence", "nonsense")
        ),
    ],
)
def test_a_wrong_value_is_refused_with_its_place_and_the_right_ones(
    overrides: dict[str, Any], place: str, problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem) as refused:
        Config.load(overrides, file="home/config.yaml", within="memory.")
    assert str(refused.value).startswith(f"home/config.yaml: `memory.{place}` ")


@pytest.mark.parametrize(
    ("key", "given", "read"),
    [
        *((key, 2.0, 2) for key in COUNTS),
        ("decay_rate_default", 1, 1.0),
        ("context_token_budget", None, None),
        ("context_token_budget", 500, 500),
        ("allowlists", {"planner": ["event", "episodic"]}, {"planner": ("event", "episodic")}),
    ],
)
def test_a_right_value_is_accepted(key: str, given: Any, read: Any) -> None:
    assert getattr(Config.load({key: given}), key) == read


@pytest.mark.parametrize("key", ["category_lasts", "unused_days", "rag_length"])
def test_a_row_for_an_unknown_category_is_refused(key: str) -> None:
    """It would have no effect, without a warning."""
    row = {"contxt": "days" if key == "category_lasts" else 3}
    with pytest.raises(ConfigurationError, match=rf"`{key}\.contxt` is unknown; near to it is `context`"):
        Config.load({key: row})
    Config.load({"categories": ["fact", "contxt"], key: row})


@pytest.mark.parametrize("row", ["city", "private", "allergy", "preference", "context", "pattern"])
def test_consent_knows_fields_predicates_and_categories(row: str) -> None:
    few = {"categories": ["fact", "preference"], "consent": {row: "twice"}}
    assert Config.load(few).consent[row] == "twice"


anything = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.lists(st.text(max_size=3), min_size=1, max_size=2)
)


@given(st.dictionaries(st.sampled_from([key for key in KEYS if key != "categories"]), anything, max_size=3))
def test_any_setting_is_accepted_or_refused_with_its_key(overrides: dict[str, Any]) -> None:
    try:
        Config.load(overrides)
        refused = None
    except ConfigurationError as error:
        refused = re.split(r"\W", error.details["key"])[0]
    assert refused is None or refused in overrides


async def test_a_memory_is_not_opened_with_wrong_settings(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="purge_days"):
        async with Memory.open(tmp_path / "home", embedder=None, config={"purge_days": True}):
            pass
    assert not (tmp_path / "home").exists()
