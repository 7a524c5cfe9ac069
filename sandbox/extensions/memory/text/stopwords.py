"""Function words, which carry no evidence: ``function_words.yaml`` in the folder of each language."""

from sandbox.extensions.memory.lexicon import words


def stop_words() -> frozenset[str]:
    """The function words of every language, folded as ``words.fold`` folds."""
    return words("function_words", "stop_words")
