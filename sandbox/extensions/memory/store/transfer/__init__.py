"""Copy a whole database out, and into another."""
