"""One module for each family of attacks: the attacks, and the signs that one succeeded. ``../data`` holds their data."""
