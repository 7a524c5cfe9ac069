"""``python -m sandbox.cli`` is the command ``memory``."""

from sandbox.cli import main

main()
