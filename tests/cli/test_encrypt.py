"""`encrypt` and `decrypt`: a key opens the memory, and nothing else."""

from tests.cli.conftest import Cli

KEY = "four geese on a frozen lake"


def test_an_encrypted_memory_answers_to_its_key_alone(ann: Cli) -> None:
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


def test_what_cannot_be_converted_is_told(cli: Cli) -> None:
    answer = cli("encrypt", MEMORY_KEY=KEY)
    assert (answer.code, "memory.db" in answer.err) == (2, True)
