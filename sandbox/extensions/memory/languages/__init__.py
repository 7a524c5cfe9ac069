"""One folder for each language: its words, its forms, its frames. See ``parse/language.py``."""
