"""Texts on their way to a model: well formed, bounded, in batches."""

from collections.abc import Iterable, Iterator

MAX_CHARACTERS = 8_000  # OpenAI's models take 8,191 tokens a text; a mean over more words says less


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced; tokenizers and JSON accept neither."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def embeddable(text: str) -> str:
    """The part of the text that is embedded: its first ``MAX_CHARACTERS``, well formed."""
    return well_formed(text[:MAX_CHARACTERS])


def pieces(text: str) -> Iterator[str]:
    """The whole text in parts of ``MAX_CHARACTERS``; none for the empty text."""
    return (text[start : start + MAX_CHARACTERS] for start in range(0, len(text), MAX_CHARACTERS))


def batches(texts: Iterable[str], most: int, characters: int) -> Iterator[list[str]]:
    """The texts in order, at most ``most`` and about ``characters`` together; a longer text is a batch of its own."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == most or size + len(text) > characters):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
