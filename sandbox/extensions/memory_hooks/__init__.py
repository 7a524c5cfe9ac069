"""The memory in coding agents: what their hooks are answered, the process that answers quickly, how they are set up."""
