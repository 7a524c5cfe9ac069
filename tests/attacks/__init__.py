"""Attacks on the memory, none of which may succeed. `make test` runs a short form, `make attack` runs all."""
