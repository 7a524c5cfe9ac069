"""The embedding extension creates a provider from settings at the start, and closes it at the stop."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import numpy as np
import pytest

from sandbox.extensions.embedding.errors import EmbedderClosed, NotStarted
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
