"""The command `memory`: each command translates its arguments to a method of ``Memory`` and shows the answer.

Importing this registers the commands, in the order of the help.
"""

from sandbox.cli import (  # noqa: F401 (each registers its commands)
    beginning,
    connecting,
    consenting,
    conversing,
    finding,
    history,
    keeping,
    learning,
    serving,
    tending,
)
from sandbox.cli.registry import app as app
