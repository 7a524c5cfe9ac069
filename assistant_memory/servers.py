"""A language model, an embedder and a reranker at servers, for the arguments of ``Memory.open``. The first two need the
extra ``openai``. ``create_embedder`` and ``create_reranker`` take the settings of the section `embedding`.
"""

from sandbox.extensions.embedding import create_embedder, create_reranker
from sandbox.extensions.memory.asking.chat import ChatModel

__all__ = ["ChatModel", "create_embedder", "create_reranker"]
