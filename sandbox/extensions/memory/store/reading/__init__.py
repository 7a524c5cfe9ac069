"""What a question or a list may see, and what of it is found."""
