"""What may be kept."""
