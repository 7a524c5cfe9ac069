"""The memories that a question or a list may see, and those that it finds."""
