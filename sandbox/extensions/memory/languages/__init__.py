"""One folder a language: its words, its forms, what its sentences claim. See ``parse/language.py``."""
