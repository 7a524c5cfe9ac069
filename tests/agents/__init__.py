"""The memory in real coding agents: run by ``make test-agents``, since they come from npm."""
