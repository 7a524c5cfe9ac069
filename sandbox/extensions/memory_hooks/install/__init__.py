"""Setting up programs that are to use the memory: what changes in their files, shown before, and undone exactly."""
