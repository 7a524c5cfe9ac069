"""What is done at night."""
