"""From settings to an embedding provider."""

from collections.abc import Mapping
from typing import Any, Protocol

from sandbox.extensions.embedding.errors import InvalidSetting
from sandbox.extensions.embedding.openai import CentredEmbedder, OpenAIEmbedder
from sandbox.extensions.embedding.settings import check_keys
from sandbox.extensions.embedding.wordllama import WordLlamaEmbedder
from sandbox.support.embedder import Embedder
from sandbox.support.fields import Fields, one_of

DEFAULT = "wordllama"
_PROVIDERS: Mapping[str, type[WordLlamaEmbedder] | type[OpenAIEmbedder]] = {
    DEFAULT: WordLlamaEmbedder,
    "openai": OpenAIEmbedder,
}


class EmbeddingProvider(Embedder, Protocol):
    """The methods that every provider has; see the providers."""

    async def close(self) -> None:
        """Release its resources."""


def create_embedder(settings: Mapping[str, object]) -> EmbeddingProvider:
    """The provider that ``settings["provider"]`` names, by default ``wordllama``; other keys are its parameters. None
    counts as absent. Raises ``InvalidSetting``, and the errors of the provider.
    """
    given: dict[str, Any] = {key: value for key, value in settings.items() if value is not None}
    provider = given.pop("provider", DEFAULT)
    Fields("", {"provider": provider}, InvalidSetting).take({"provider": one_of(_PROVIDERS)})
    check_keys(given, _PROVIDERS[provider], f"the provider {provider}")
    created = _PROVIDERS[provider](**given)
    return CentredEmbedder(created) if isinstance(created, OpenAIEmbedder) else created
