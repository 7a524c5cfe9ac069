"""One module for each family of attacks: the attacks, and the signs of success. ``../data`` holds their data."""
