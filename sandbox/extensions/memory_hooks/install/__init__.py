"""Set up programs to use the memory: changes of their files are shown first, and can be undone exactly."""
