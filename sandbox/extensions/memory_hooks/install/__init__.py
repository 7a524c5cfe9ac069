"""Set up programs to use the memory: changes of their files are shown before, and undone exactly."""
