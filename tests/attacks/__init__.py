"""Attacks on the memory: what must not get through. `make test` runs a short form, `make attack` all of it."""
