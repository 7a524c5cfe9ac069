"""The memory for agents of other libraries, each in its own form. Programs import `assistant_memory`."""
