"""The memory for agents of other libraries, in the shape each of them asks for. Programs import `assistant_memory`."""
