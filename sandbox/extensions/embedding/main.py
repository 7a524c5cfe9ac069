"""The embedding providers as an extension of the kernel: one provider, for every extension that depends on it."""

from collections.abc import Sequence

from sandbox.errors import InvalidSettings
from sandbox.extensions.embedding.create import EmbeddingProvider, create_embedder
from sandbox.extensions.embedding.errors import EmbeddingError, NotStarted
from sandbox.host import ExtensionContext
from sandbox.protocols import Check
from sandbox.settings import CONFIG


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
        """Make the provider. Raises ``InvalidSettings``."""
        try:
            self._embedder = create_embedder(context.config)
        except EmbeddingError as error:
            file, problem = context.home / CONFIG, f"is wrong: {str(error).rstrip('.')}"
            raise InvalidSettings(file=file, key=context.id, problem=problem) from error

    async def stop(self) -> None:
        """Let go of the provider."""
        if self._embedder is not None:
            await self._embedder.close()
            self._embedder = None

    async def check(self) -> Sequence[Check]:
        """Whether an embedding can be had now."""
        embedder = self.embedder
        try:
            await embedder.embed("health")
        except EmbeddingError as error:
            advice = "memories are found by their words meanwhile; see `embedding:` in config.yaml"
            return [Check("model", False, str(error), advice)]
        return [Check("model", True, embedder.model_id)]
