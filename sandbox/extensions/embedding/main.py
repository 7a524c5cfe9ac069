"""The embedding providers as an extension of the kernel: one provider, for every extension that depends on it."""

from collections.abc import Sequence

from sandbox.extensions.embedding.create import EmbeddingProvider, create_embedder
from sandbox.extensions.embedding.errors import NotStarted
from sandbox.host import ExtensionContext
from sandbox.protocols import Check


class EmbeddingExtension:
    """Holds the provider that the settings name. A server that is away does not keep it from starting."""

    def __init__(self) -> None:
        self._embedder: EmbeddingProvider | None = None

    @property
    def embedder(self) -> EmbeddingProvider:
        """What embeds. Raises ``NotStarted``."""
        if self._embedder is None:
            raise NotStarted()
        return self._embedder

    async def start(self, context: ExtensionContext) -> None:
        """Make the provider. Raises what ``create_embedder`` raises."""
        self._embedder = create_embedder(context.config)

    async def stop(self) -> None:
        """Let go of the provider."""
        if self._embedder is not None:
            await self._embedder.close()
            self._embedder = None

    async def check(self) -> Sequence[Check]:
        """Whether an embedding can be had now."""
        embedder = self.embedder
        if await embedder.health_check():
            return [Check("embedding provider", True, embedder.model_id)]
        advice = "search goes on with words; see `embedding:` in config.yaml"
        return [Check("embedding provider", False, "it does not answer", advice)]
