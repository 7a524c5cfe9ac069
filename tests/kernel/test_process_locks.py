"""Which kernels are alive."""

from pathlib import Path

from sandbox.process_locks import Owner
from tests.kernel import bus_programs
from tests.memory.store.processes import Journal, kill, running, wait_until


def locks(home: Path) -> list[str]:
    return sorted(path.stem for path in (home / "kernels").iterdir())


def test_a_kernel_is_alive_until_it_is_closed(tmp_path: Path) -> None:
    one, two = Owner(tmp_path), Owner(tmp_path)
    assert one.id != two.id
    assert one.is_alive(one.id)
    assert one.is_alive(two.id)
    assert two.is_alive(one.id)
    assert not one.is_alive("deadbeef")
    two.close()
    assert not one.is_alive(two.id)
    assert locks(tmp_path) == [one.id]
    one.close()
    assert locks(tmp_path) == []


def test_a_killed_kernel_is_not_alive(tmp_path: Path) -> None:
    """From the moment of its death; the next kernel that asks or starts removes its files."""
    notes, one = Journal(tmp_path / "notes"), Owner(tmp_path)
    with (
        running(bus_programs.own, tmp_path, notes.path) as first,
        running(bus_programs.own, tmp_path, notes.path) as second,
    ):
        wait_until(lambda: notes.count() == 2)
        assert all(one.is_alive(id) for id in notes.values())
        assert len(locks(tmp_path)) == 3
        kill(first)
        assert sorted(one.is_alive(id) for id in notes.values()) == [False, True]
        assert len(locks(tmp_path)) == 2
        kill(second)
    two = Owner(tmp_path)
    assert locks(tmp_path) == sorted([one.id, two.id])
    one.close()
    two.close()
