"""`encrypt` and `decrypt`: only the key opens the memory."""

import shutil
import subprocess
import sys

from tests.cli.conftest import Cli
from tests.kernel.test_llm import keyring_of
from tests.memory.store.conftest import disk, disk_library
from tests.memory.store.disk import Disk

__all__ = ["disk", "disk_library"]

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


def test_a_disk_without_room_for_a_copy_is_reported_and_changes_nothing(ann: Cli, disk: Disk) -> None:
    home = disk.folder / "home"
    shutil.copytree(ann.home, home)
    encrypt = f"MEMORY_KEY='{KEY}' exec {sys.executable} -m sandbox.cli --home {home} encrypt"

    def refused(command: str) -> str:
        done = subprocess.run(
            ["sh", "-c", command], env=disk.environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1
        assert "blue vase" in disk.python("sandbox.cli", "--home", str(home), "search", "vase").stdout
        assert not list(home.glob(".encrypting-*"))
        return done.stderr

    assert "could not be read or written" in refused(f"ulimit -f 200; {encrypt}"), "it was begun"
    disk.full.touch()
    assert "is full" in refused(encrypt)


def test_a_keyring_keeps_the_made_key(ann: Cli) -> None:
    """The keyring is in memory; the developer's own is not used."""
    with keyring_of({}):
        answer = ann("encrypt", MEMORY_KEY="")
        assert (answer.code, "keep a copy of its key" in answer.out) == (0, True)
        assert "blue vase" in ann("search", "vase", MEMORY_KEY="").out
