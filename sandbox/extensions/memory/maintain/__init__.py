"""The night: maintenance of the memory."""
