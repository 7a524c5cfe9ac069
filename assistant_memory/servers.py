"""A language model and an embedder at servers, for the arguments of ``Memory.open``. They need the extra ``openai``.
``create_embedder`` takes the settings of the section `embedding`.
"""

from sandbox.extensions.embedding import create_embedder as create_embedder
from sandbox.extensions.memory.asking.chat import ChatModel as ChatModel
