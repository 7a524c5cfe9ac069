"""`encrypt` and `decrypt`: only the key opens the memory."""

from tests.cli.conftest import Cli
from tests.kernel.test_llm import keyring_of

KEY = "four geese on a frozen lake"


def test_only_the_key_opens_an_encrypted_memory(ann: Cli) -> None:
    answer = ann("encrypt", MEMORY_KEY=KEY)
    assert (answer.code, answer.err) == (0, "")
    assert "keep a copy of its key" in answer.out
    assert b"vase" not in (ann.home / "memory.db").read_bytes()
    assert "blue vase" in ann("search", "vase", MEMORY_KEY=KEY).out
    refused = ann("search", "vase", MEMORY_KEY="three geese")
    assert (refused.code, refused.out) == (1, "")
    assert "does not open with the key that MEMORY_KEY holds" in refused.err
    assert "memory.db is encrypted" in " ".join(ann("doctor", MEMORY_KEY=KEY).out.split())
    assert ann("decrypt", "--json", MEMORY_KEY=KEY).json == {"encrypted": False}
    assert "blue vase" in ann.fine("search", "vase")


def test_a_file_that_cannot_be_converted_is_reported(cli: Cli) -> None:
    answer = cli("encrypt", MEMORY_KEY=KEY)
    assert (answer.code, "memory.db" in answer.err) == (2, True)


def test_a_keyring_keeps_the_made_key(ann: Cli) -> None:
    """The keyring is in memory; the developer's own is not used."""
    with keyring_of({}):
        answer = ann("encrypt", MEMORY_KEY="")
        assert (answer.code, "keep a copy of its key" in answer.out) == (0, True)
        assert "blue vase" in ann("search", "vase", MEMORY_KEY="").out
