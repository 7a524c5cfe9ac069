"""The number of tokens that a text has for a language model: an estimate, because every model cuts differently."""

from collections.abc import Sequence

_BYTES_PER_TOKEN = 3.6  # English prose in the Llama and GPT families has 3.5 to 4.5


class EstimatedTokens:
    """Estimates without a tokenizer, rather too many than too few."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimated tokens of each text."""
        return [-int(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN) for text in texts]
