"""What the tests of erasing share."""

from sandbox.extensions.memory.reports import ErasureReport


def counted(report: ErasureReport) -> tuple[int, int, int]:
    """The numbers of turns, of memories, and of those that are valid again."""
    return report.turns, report.learnt, report.restored
