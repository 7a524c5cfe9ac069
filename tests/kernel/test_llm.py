"""Settings and environment become models. Nothing raises: problems are listed, and no key is shown."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import keyring
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from keyring.backend import KeyringBackend

from sandbox.llm import ModelRouter
from sandbox.support.openai_server import OPENAI_URL, Model

LOCAL = "http://127.0.0.1:11434/v1"
KEY = "sk-test-5f1c0a"


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1.0

    def __init__(self, held: Mapping[tuple[str, str], str]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.held = dict(held)

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password


class Locked(Ring):
    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError(f"{service}/{username} is locked")


@contextmanager
def keyring_of(held: Mapping[tuple[str, str], str]) -> Iterator[None]:
    """During the block the keyring holds this, and the developer's own is not touched."""
    before = keyring.get_keyring()
    keyring.set_keyring(Ring(held))
    try:
        yield
    finally:
        keyring.set_keyring(before)


@pytest.fixture(autouse=True)
def own_keyring() -> Iterator[None]:
    with keyring_of({}):
        yield


def router(models: Mapping[str, Any], **environment: str) -> ModelRouter:
    return ModelRouter(models, "config.yaml", environment)


def only_problem(models: Mapping[str, Any], **environment: str) -> str:
    found = router(models, **environment)
    assert found.model("orchestrator") is None
    (problem,) = found.problems
    return problem


# --- which model ------------------------------------------------------------------------------------------------------


def test_no_configuration_of_an_agent_means_no_model_and_no_problem() -> None:
    found = router({"memory_agent": {"model": "small", "base_url": LOCAL}})
    assert found.model("memory_agent") == Model(name="small", base_url=LOCAL)
    assert found.model("orchestrator") is None
    assert found.problems == ()


def test_every_key_reaches_the_model() -> None:
    settings = {"timeout": 5, "max_retries": 0, "temperature": 0, "max_tokens": 100}
    found = router({"default": {"model": "llama3.1", "base_url": LOCAL, **settings}})
    expected = Model(name="llama3.1", base_url=LOCAL, timeout=5.0, max_retries=0, temperature=0.0, max_tokens=100)
    assert found.model("orchestrator") == expected
    assert found.problems == ()
    assert expected.place == "127.0.0.1:11434"


def test_an_entry_overrides_the_default_key_by_key() -> None:
    models = {
        "default": {"model": "large", "base_url": LOCAL, "temperature": 1, "timeout": 9},
        "memory_agent": {"model": "small", "temperature": 0, "timeout": None},
    }
    found = router(models)
    assert found.model("orchestrator") == Model(name="large", base_url=LOCAL, temperature=1.0, timeout=9.0)
    assert found.model("memory_agent") == Model(name="small", base_url=LOCAL, temperature=0.0)


def test_the_environment_names_a_model_without_a_configuration() -> None:
    variables = {"MEMORY_MODEL": "llama3.1", "MEMORY_MODEL_URL": LOCAL}
    assert router({}, **variables).model("any") == Model(name="llama3.1", base_url=LOCAL)
    configured = router({"default": {"model": "large", "base_url": LOCAL}}, **variables)
    assert configured.model("any") == Model(name="large", base_url=LOCAL)


def test_a_coding_agent_answers_in_place_of_a_server() -> None:
    """It needs no key, and takes nothing from an entry for a server, nor gives anything to one."""
    server = {"model": "large", "base_url": LOCAL, "temperature": 1}
    found = router({"default": server, "memory_agent": {"agent": "claude-code"}})
    assert found.model("memory_agent") == Model(name="claude-code", agent="claude-code", timeout=300.0)
    assert found.model("orchestrator") == Model(name="large", base_url=LOCAL, temperature=1.0)
    chosen = {"agent": "claude-code", "model": "haiku", "timeout": 60}
    found = router({"default": chosen, "orchestrator": server})
    assert found.model("memory_agent") == Model(name="haiku", agent="claude-code", timeout=60.0)
    assert found.model("orchestrator") == Model(name="large", base_url=LOCAL, temperature=1.0)
    assert [each.place for each in map(found.model, ("orchestrator", "any")) if each] == [
        "127.0.0.1:11434",
        "Claude Code",
    ]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"agent": "vim"}, "`models.default.agent` must be claude-code or qwen"),
        ({"agent": "claude-code", "base_url": LOCAL}, "`models.default.base_url` is for a server, and `agent` names"),
    ],
)
def test_a_wrong_coding_agent_is_refused(entry: dict[str, str], problem: str) -> None:
    assert problem in only_problem({"default": entry})


# --- keys -------------------------------------------------------------------------------------------------------------


def test_openai_itself_needs_a_key() -> None:
    found = router({"default": {"model": "large"}}, OPENAI_API_KEY=KEY)
    assert found.model("any") == Model(name="large", base_url=OPENAI_URL, api_key=KEY)
    for address in ("https://API.openai.com/v1", "https://api.openai.com:443/v1"):
        assert only_problem({"default": {"model": "large", "base_url": address}}) == (
            "config.yaml: `models.default.api_key_env` leads to no key: neither the environment nor the system keyring "
            "holds OPENAI_API_KEY."
        )


def test_another_server_is_sent_a_key_only_if_one_is_named() -> None:
    """The key for OpenAI in the environment must not go to the server that `base_url` names."""
    found = router({"default": {"model": "m", "base_url": LOCAL}}, OPENAI_API_KEY=KEY).model("any")
    assert found == Model(name="m", base_url=LOCAL)
    named = {"default": {"model": "m", "base_url": LOCAL, "api_key_env": "MY_KEY"}}
    assert router(named, MY_KEY=f" {KEY}\n").model("any") == Model(name="m", base_url=LOCAL, api_key=KEY)
    assert "`models.default.api_key_env` leads to no key" in only_problem(named)


def test_the_key_of_one_server_is_not_sent_to_another() -> None:
    models = {
        "default": {"model": "m", "base_url": "https://models.example/v1", "api_key_env": "MY_KEY"},
        "same": {"temperature": 0},
        "local": {"base_url": LOCAL},
    }
    found = router(models, MY_KEY=KEY)
    keys = {agent: model.api_key for agent in models if (model := found.model(agent)) is not None}
    assert keys == {"default": KEY, "same": KEY, "local": None}


@pytest.mark.parametrize(("entry", "name"), [({}, "OPENAI_API_KEY"), ({"api_key_env": "MY_KEY"}, "MY_KEY")])
def test_a_key_may_be_in_the_system_keyring_and_that_of_the_environment_precedes(
    entry: dict[str, str], name: str
) -> None:
    keyring.set_keyring(Ring({("assistant-memory", name): KEY}))
    for environment, expected in (({}, KEY), ({name: "of the environment"}, "of the environment")):
        found = router({"default": {"model": "m", **entry}}, **environment).model("any")
        assert found is not None
        assert found.api_key == expected


def test_a_locked_keyring_gives_no_key() -> None:
    keyring.set_keyring(Locked({}))
    assert "`models.default.api_key_env` leads to no key" in only_problem({"default": {"model": "m"}})


def test_neither_key_nor_password_is_shown() -> None:
    found = router({"default": {"model": "m", "base_url": f"https://ann:{KEY}@models.example:8443/v1?key={KEY}"}})
    model = found.model("any")
    assert model is not None
    assert KEY not in f"{model} {model.place} {Model(name='m', api_key=KEY)}"
    assert model.place == "models.example:8443"


# --- what is wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("gpt", "`models.default` must be keys and values"),
        ({"base_url": LOCAL}, "`models.default.model` is missing."),
        ({"model": " "}, "`models.default.model` must not be empty."),
        ({"model": 7}, "`models.default.model` must be a text"),
        ({"model": "m", "base_ulr": LOCAL}, "`models.default.base_ulr` is unknown; near to it is `base_url`."),
        ({"model": "m", "base_url": "localhost:1"}, "`models.default.base_url` must be an address like http"),
        ({"model": "m", "base_url": "http://[::1"}, "`models.default.base_url` must be an address like http"),
        ({"model": "m", "base_url": "http://h:99999"}, "`models.default.base_url` must be an address like http"),
        ({"model": "m", "api_key_env": KEY}, "`models.default.api_key_env` must be the name of an environment"),
        ({"model": "m", "timeout": 0}, "`models.default.timeout` must be a number above 0"),
        ({"model": "m", "max_retries": -1}, "`models.default.max_retries` must be a whole number, 0 or more"),
        ({"model": "m", "max_tokens": 0.5}, "`models.default.max_tokens` must be a whole number above 0"),
        ({"model": "m", "temperature": True}, "`models.default.temperature` must be a number, 0 or more"),
        ({"model": "m", "temperature": float("nan")}, "`models.default.temperature` must be a number, 0 or more"),
    ],
)
def test_an_unusable_entry_gives_no_model_and_is_reported(entry: Any, problem: str) -> None:
    told = only_problem({"default": entry}, OPENAI_API_KEY=KEY)
    assert told.startswith(f"config.yaml: {problem}")
    assert KEY not in told


def test_a_key_unfit_for_a_header_is_refused() -> None:
    told = only_problem({"default": {"model": "m"}}, OPENAI_API_KEY="sk-ключ")
    assert "leads to a key that is not printable ASCII alone" in told
    assert "ключ" not in told


def test_a_wrong_entry_does_not_affect_the_others() -> None:
    found = router({"default": {"model": "m", "base_url": LOCAL}, "memory_agent": {"timeout": "soon"}})
    assert found.model("orchestrator") == Model(name="m", base_url=LOCAL)
    assert found.model("memory_agent") is None
    assert found.problems == ("config.yaml: `models.memory_agent.timeout` must be a number above 0, not 'soon'.",)


def test_a_wrong_environment_is_reported_by_its_variables() -> None:
    assert "MEMORY_MODEL_URL: `models.default.base_url`" in only_problem({}, MEMORY_MODEL="m", MEMORY_MODEL_URL="here")
    assert "`models.default.model` is missing" in only_problem({}, MEMORY_MODEL_URL=LOCAL)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
keys = st.sampled_from(["model", "base_url", "api_key_env", "temperature", "timeout", "max_retries", "max_tokens"])


@settings(suppress_health_check=[HealthCheck.too_slow])  # the first inputs take a second on a busy machine
@given(st.dictionaries(st.sampled_from(["default", "a"]), st.dictionaries(keys, anything, max_size=3) | anything))
def test_any_configuration_is_read_without_an_error(models: dict[str, Any]) -> None:
    found = router(models)
    for agent in ("default", "a", "b"):
        assert found.model(agent) is None or isinstance(found.model(agent), Model)
    assert all(problem.startswith("config.yaml: `models.") for problem in found.problems)
