"""The memory in coding agents: answers to their hooks, the process that answers quickly, and their setup."""
