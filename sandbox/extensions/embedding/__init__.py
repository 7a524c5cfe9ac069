"""Text to vectors: `wordllama` inside this process, or `openai` for any server that speaks `/v1/embeddings`."""

from sandbox.extensions.embedding.create import (
    EmbeddingProvider as EmbeddingProvider,
    create_embedder as create_embedder,
)
from sandbox.extensions.embedding.openai import CentredEmbedder as CentredEmbedder, OpenAIEmbedder as OpenAIEmbedder
from sandbox.extensions.embedding.wordllama import WordLlamaEmbedder as WordLlamaEmbedder
