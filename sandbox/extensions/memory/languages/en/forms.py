"""English forms: a verb's third person is one of its base; nothing else is inflected."""

from functools import lru_cache

from sandbox.extensions.memory.parse.language import Forms

_IRREGULAR = {
    "am": "be", "is": "be", "are": "be", "has": "have", "does": "do", "goes": "go", "children": "child", "kids": "kid",
}  # fmt: skip


class English(Forms):
    """Adds the base of a form in ``-s``."""

    def lemmas(self, word: str) -> frozenset[str]:
        """A word and what it may be a form of."""
        return _lemmas(word)


@lru_cache(maxsize=1 << 13)
def _lemmas(word: str) -> frozenset[str]:
    if word == "'s":
        return frozenset((word, "be", "have"))
    found = {word, _IRREGULAR.get(word, word)}
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")):
        found.add(word[:-1])
        if word.endswith("ies"):
            found.add(f"{word[:-3]}y")
        elif word.endswith(("shes", "ches", "sses", "xes", "zes")):
            found.add(word[:-2])
    return frozenset(found)


FORMS = English()
