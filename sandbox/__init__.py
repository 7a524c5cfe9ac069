"""The host kernel and its extensions."""
