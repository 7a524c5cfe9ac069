"""From settings to an embedding provider."""

from collections.abc import Mapping
from inspect import signature
from typing import Any, Protocol

from sandbox.extensions.embedding.errors import InvalidSetting, UnknownProvider, UnknownSetting
from sandbox.extensions.embedding.openai import OpenAIEmbedder
from sandbox.extensions.embedding.rerank import PREFIX
from sandbox.extensions.embedding.wordllama import WordLlamaEmbedder
from sandbox.support.embedder import Embedder


class EmbeddingProvider(Embedder, Protocol):
    """What every provider offers; the methods say more."""

    async def close(self) -> None:
        """Let go of what is held."""
        ...


DEFAULT = "wordllama"
PROVIDERS: Mapping[str, type[WordLlamaEmbedder] | type[OpenAIEmbedder]] = {
    DEFAULT: WordLlamaEmbedder,
    "openai": OpenAIEmbedder,
}


def create_embedder(settings: Mapping[str, object]) -> EmbeddingProvider:
    """The provider that ``settings["provider"]`` names, ``wordllama`` if none; the other keys are its parameters.

    A key set to None counts as absent; those of the reranker are left to ``create_reranker``.

    Raises:
        UnknownProvider: no provider has the name.
        UnknownSetting: the provider has no such parameter.
        InvalidSetting: a parameter is missing, or its value cannot be used.
        MissingKey, MissingPackage: the provider `openai` lacks something.
    """
    given: dict[str, Any] = {
        key: value for key, value in settings.items() if value is not None and not key.startswith(PREFIX)
    }
    provider = given.pop("provider", DEFAULT)
    if provider not in list(PROVIDERS):
        raise UnknownProvider(value=provider, known=", ".join(PROVIDERS))
    _check_keys(provider, given)
    return PROVIDERS[provider](**given)


def _check_keys(provider: str, given: Mapping[str, object]) -> None:
    parameters = signature(PROVIDERS[provider]).parameters
    for key in given:
        if key not in parameters:
            raise UnknownSetting(key=key, provider=provider, known=", ".join(["provider", *parameters]))
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in given:
            raise InvalidSetting(key=key, expected=f"set for the provider {provider}")
