"""The embedding providers as an extension of the kernel: one provider for all extensions that depend on it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sandbox.errors import InvalidSettings
from sandbox.extensions.embedding.create import EmbeddingProvider, create_embedder
from sandbox.extensions.embedding.errors import EmbeddingError, NotStarted
from sandbox.protocols import ExtensionContext
from sandbox.settings import CONFIG
from sandbox.support.diagnosis import Check
from sandbox.support.errors import MissingPackage


class EmbeddingExtension:
    """Holds the configured provider. It also starts while the provider's server is unavailable."""

    def __init__(self) -> None:
        self._embedder: EmbeddingProvider | None = None

    @property
    def embedder(self) -> EmbeddingProvider:
        """The provider. Raises ``NotStarted``."""
        if self._embedder is None:
            raise NotStarted()
        return self._embedder

    async def start(self, context: ExtensionContext) -> None:
        """Create the provider. Raises ``InvalidSettings``."""
        self._embedder = configured_embedder(context.config, context.home / CONFIG)

    async def stop(self) -> None:
        """Close the provider."""
        if self._embedder is not None:
            await self._embedder.close()
            self._embedder = None

    async def check(self) -> Sequence[Check]:
        """Whether the provider embeds now."""
        embedder = self.embedder
        try:
            await embedder.embed_batch(["health"])
        except EmbeddingError as error:
            advice = "memories are found by their words meanwhile; see `embedding:` in config.yaml"
            return [Check("model", False, str(error), advice)]
        return [Check("model", True, embedder.model_id)]


def configured_embedder(config: Mapping[str, Any], file: Path) -> EmbeddingProvider:
    """The provider in the section `embedding` of a settings file. Raises ``InvalidSettings``."""
    try:
        return create_embedder(config)
    except (EmbeddingError, MissingPackage) as error:
        raise InvalidSettings(file=file, key="embedding", problem=f"is wrong: {str(error).rstrip('.')}") from error
