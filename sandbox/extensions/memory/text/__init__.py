"""Words, languages, tokens and time expressions: pure functions of text."""
