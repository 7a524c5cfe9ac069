"""Text to vectors: `wordllama` inside this process, or `openai` for any server that speaks `/v1/embeddings`."""

from sandbox.extensions.embedding.create import EmbeddingProvider, create_embedder
from sandbox.extensions.embedding.openai import CentredEmbedder, OpenAIEmbedder
from sandbox.extensions.embedding.wordllama import WordLlamaEmbedder

__all__ = [
    "CentredEmbedder",
    "EmbeddingProvider",
    "OpenAIEmbedder",
    "WordLlamaEmbedder",
    "create_embedder",
]
