"""A configuration becomes a provider, at the start of the extension; a wrong one becomes an error."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import numpy as np
import pytest
import yaml

from sandbox.extensions.embedding import CentredEmbedder, WordLlamaEmbedder, create_embedder
from sandbox.extensions.embedding.errors import EmbedderClosed, EmbeddingError, InvalidSetting, MissingKey, NotStarted
from sandbox.extensions.embedding.main import EmbeddingExtension
from sandbox.extensions.embedding.testing import FakeEmbeddingServer
from sandbox.protocols import ExtensionContext
from sandbox.support.times import system_clock

NOTHING = cast(Any, None)  # the extension asks for its settings, and for nothing else


def context(config: Mapping[str, Any]) -> ExtensionContext:
    return ExtensionContext("embedding", Path(), config, {}, system_clock, NOTHING, NOTHING, {})


async def test_the_settings_choose_the_provider() -> None:
    extension = EmbeddingExtension()
    await extension.start(context({"provider": "wordllama", "dimensions": 64, "model": None}))
    assert extension.embedder.model_id == "wordllama/l2_supercat/64"
    assert np.linalg.norm(await extension.embedder.embed_batch(["violin"])) == pytest.approx(1)
    (check,) = await extension.check()
    assert (check.ok, check.detail) == (True, "wordllama/l2_supercat/64")
    await extension.stop()


async def test_an_unreachable_server_is_reported_and_does_not_prevent_the_start() -> None:
    with FakeEmbeddingServer() as server:
        url = server.base_url
    extension = EmbeddingExtension()
    await extension.start(
        context({"provider": "openai", "model": "any", "base_url": url, "dimensions": 64, "timeout": 1})
    )
    (check,) = await extension.check()
    assert not check.ok
    assert check.detail.startswith(f"any at {urlsplit(url).netloc} ")
    assert "words" in (check.advice or "")
    await extension.stop()


async def test_there_is_no_provider_before_the_start_and_after_the_end() -> None:
    extension = EmbeddingExtension()
    with pytest.raises(NotStarted):
        _ = extension.embedder
    with FakeEmbeddingServer() as server:
        await extension.start(context({"provider": "openai", "model": "any", "base_url": server.base_url}))
        embedder = extension.embedder
        await extension.stop()
    with pytest.raises(NotStarted):
        _ = extension.embedder
    with pytest.raises(EmbedderClosed):
        await embedder.embed_batch(["violin"])
    await extension.stop()


LOCAL = {"provider": "openai", "model": "any", "base_url": "http://127.0.0.1:1/v1"}


async def test_a_server_is_configured_by_its_address() -> None:
    embedder = create_embedder({**LOCAL, "dimensions": 256, "timeout": 3, "batch_size": 32})
    assert isinstance(embedder, CentredEmbedder)
    assert embedder.model_id == "openai/any/256/centred"
    await embedder.close()


def test_wordllama_is_the_default_also_of_the_manifest() -> None:
    assert isinstance(create_embedder({}), WordLlamaEmbedder)
    assert create_embedder({"provider": "wordllama", "dimensions": 128, "model": None}).dimensions == 128
    manifest = yaml.safe_load((files("sandbox.extensions.embedding") / "manifest.yaml").read_text())
    assert isinstance(create_embedder(manifest["config"]), WordLlamaEmbedder)
    assert set(manifest["config"]) == {
        *("provider", "dimensions", "model", "base_url", "api_key_env", "timeout", "batch_size"),
    }


@pytest.mark.parametrize("provider", ["cohere", 3, ["openai"]])
def test_an_unknown_provider_is_named_with_the_known_ones(provider: object) -> None:
    with pytest.raises(InvalidSetting, match=r"`provider` must be one of wordllama, openai"):
        create_embedder({"provider": provider})


def test_an_unknown_key_is_refused_without_showing_its_value() -> None:
    with pytest.raises(
        InvalidSetting, match=r"`api_key` is no setting of .* openai; its settings are: model, base_url"
    ) as caught:
        create_embedder({**LOCAL, "api_key": "sk-secret"})
    assert "sk-secret" not in str(caught.value)
    with pytest.raises(InvalidSetting, match=r"`model` is no setting of .* wordllama"):
        create_embedder({"model": "any"})


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"model": None}, "`model` is missing; the provider openai needs it"),
        ({"model": " "}, "`model` must not be empty"),
        ({"dimensions": 0}, "`dimensions` must be a whole number"),
        ({"batch_size": "96"}, "`batch_size` must be a whole number"),
        ({"timeout": float("inf")}, "`timeout` must be a number above 0"),
        ({"base_url": "127.0.0.1:8080"}, "`base_url` must be an address"),
        ({"api_key_env": "sk-proj-secret"}, "`api_key_env` must be the name of an environment variable"),
    ],
)
def test_an_unusable_value_is_refused_by_its_key(settings: dict[str, object], expected: str) -> None:
    with pytest.raises(InvalidSetting, match=expected) as caught:
        create_embedder({**LOCAL, **settings})
    assert "secret" not in str(caught.value)


def test_a_key_in_place_of_its_variable_is_not_shown() -> None:
    """The name could be the key itself, written in the wrong place."""
    with pytest.raises(MissingKey, match="`api_key_env` names") as caught:
        create_embedder({**LOCAL, "api_key_env": "abcdef0123456789"})
    assert "abcdef" not in str(caught.value)
    assert isinstance(caught.value, EmbeddingError)
