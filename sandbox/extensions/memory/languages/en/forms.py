"""English forms: a verb's third person and its base, a noun's plural; nothing else is inflected."""

import re
from functools import lru_cache

from sandbox.extensions.memory.parse.language import Case, Forms

_IRREGULAR = {
    "am": "be", "is": "be", "are": "be", "has": "have", "does": "do", "goes": "go", "children": "child", "kids": "kid",
    "wives": "wife", "babies": "baby", "puppies": "puppy",
}  # fmt: skip
_THIRD = {
    "am": "is",
    "be": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "can": "can",
    "cannot": "cannot",
}
_GERUNDS = {
    "driving": "drive", "riding": "ride", "writing": "write", "baking": "bake", "making": "make", "raising": "raise",
    "running": "run", "swimming": "swim", "knitting": "knit", "skating": "skate", "dancing": "dance",
    "nursing": "nurse",
}  # fmt: skip
_SAME = frozenset("will would was did used had".split())  # in all persons
_SEVERAL = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
_BETWEEN = frozenset(
    "always never usually mostly only often also no longer rarely sometimes".split()
)  # subject and verb


class English(Forms):
    """Adds the base form to a verb in ``-s``, and back."""

    def lemmas(self, word: str) -> frozenset[str]:
        """A word and the words it may be a form of."""
        return _lemmas(word)

    def inflect(self, phrase: str, case: Case) -> str:
        """A noun with its article."""
        if case == "indef":
            head = re.split(r"(?: (?:of|in|from|with|for|at|and)|,) ", phrase.lower())[0]
            if re.search(r"[^su]s$|^(?:an?|the|one|two|three|my|our|(?!(?:19|20)\d\d )\d\S*) ", head):
                return phrase
            return f"{'an' if re.match(r'[aeio]|u(?!ni|se|k)|mba ', f'{head} ') else 'a'} {phrase}"
        return phrase

    def third(self, phrase: str) -> str:
        """*Never drink coffee* is *never drinks coffee*."""
        words = phrase.split()
        at = next((at for at, word in enumerate(words) if word.lower() not in _BETWEEN), 0)
        words[at] = words[at] if words[at].lower() in _SAME else _third(words[at])
        return " ".join(words)

    def tidy(self, sentence: str) -> str:
        """*1 years old*: 1 year old; *from 5 May 2026 on until*: from 5 May 2026 until."""
        return re.sub(r"(?<= \d{4}) on(?= until )", "", re.sub(r"\b1 years\b", "1 year", sentence))

    def of_several(self, sentence: str, label: str) -> str:
        """*The user's parents lives* -> *The user's parents live*."""
        before, label, behind = sentence.partition(label)
        words = behind.split(" ")
        at = next((at for at, word in enumerate(words) if word and word not in _BETWEEN), 0)
        words[at] = _SEVERAL.get(words[at]) or re.sub(r"(?<=[sc]h)es$|(?<=[sx])es$|(?<=[^s])s$", "", words[at])
        return f"{before}{label}{' '.join(words)}"


def _third(verb: str) -> str:
    verb = _GERUNDS.get(verb.lower()) or re.sub(r"(?<=\w{2})ing$", "", verb)
    if found := _THIRD.get(verb.lower()):
        return found
    if re.search(r"[^s]s$", verb):
        return verb
    if re.search(r"(?:[sc]h|[sxz]|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


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
