"""English sentences without contractions, and without what leads them in. Pure."""

import re
from functools import lru_cache

from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules import texts
from sandbox.extensions.memory.consolidate.rules.texts import headless

_CONTRACTED = re.compile(r"'|\b(?:gonna|wanna|i|im|ive|dont|doesnt|didnt|cant|wont|isnt|arent|hes|shes)\b")
_SHORT = tuple(  # what is in a sentence, small, that has the form
    (hint, re.compile(said, flags), full)
    for hint, said, flags, full in (
        ("im", r"\b([Ii])m\b", 0, r"\1'm"),
        ("ive", r"\b([Ii])ve\b", 0, r"\1've"),
        ("nt", r"\b([Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Aa]re|[Ww]o|[Cc]a)n?t\b(?<=nt)", 0, r"\1n't"),
        ("hes ", r"\b(she|he)s (?=(?:an?|called|named|allergic|in|from|\w+ing)\b)", re.I, r"\1 is "),
        ("'m", r"\b(I)'m\b", re.I, r"\1 am"),
        ("'s ", r"\b((?:[Mm]y|[Oo]ur) [\w-]+(?: [\w-]+)?)'s (?=\S*@|https?:|\+?\d[\d -]{5})", 0, r"\1 is "),
        ("'re", r"\b(you|we|they)'re\b", re.I, r"\1 are"),
        ("'ve", r"\b(I|you|we|they)'ve\b", re.I, r"\1 have"),
        ("'s been", r"(?<=\w)'s (?=been\b)", 0, " has "),
        ("'s ", r"\b(he|she|it|that|name|birthday|age|job|dream|favou?rite \w+)'s (?=\S)", re.I, r"\1 is "),
        (
            "'s ",
            r"\b((?:(?:[Mm]y|[Oo]ur|[Tt]he)(?: new)?|[Nn]ew) \w+|[A-Z]\w+)'s "
            r"(?=(?:an?|the|in|at|off|now|from|called|named|been|not|allergic|vegan|vegetarian|moved|cancell?ed"
            rf"|(?!(?:{words_of.NOUNS_IN_ING})\b)\w+ing|on (?:\w+day|the \d\w+))\b)",
            0,
            r"\1 is ",
        ),
        ("'ll", r"\b(I|you|we|they|he|she|it)'ll\b", re.I, r"\1 will"),
        ("'d", r"\b(I|you|we|they|he|she|it)'d\b", re.I, r"\1 would"),
        ("can", r"\bcan(?:'t|not)\b", re.I, "can not"),
        ("won't", r"\bwon't\b", re.I, "will not"),
        ("n't", r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should)n't\b", re.I, r"\1 not"),
        ("'c", r"(?<!\w)'(?:cause|cuz)\b", re.I, "because"),
        ("gonna", r"\bgonna\b", re.I, "going to"),
        ("wanna", r"\bwanna\b", re.I, "want to"),
        ("have not got", r"\b(I|we|you|they) have not got\b", re.I, r"\1 do not have"),
        ("have got", r"\b(I|we) have got\b", re.I, r"\1 have"),
        ("i", r"\bi\b", 0, "I"),
    )
)
_MINDS = re.compile(r"(?:I|we)(?:'ve| have)? changed (?:my|our) minds?\b(?! (?:about|on)\b)[\s,!.:—–-]*", re.IGNORECASE)


@lru_cache(maxsize=1 << 8)
def expand(sentence: str) -> str:
    """A sentence without contractions."""
    if _CONTRACTED.search(sentence):
        lowered = sentence.lower()
        for hint, pattern, full in _SHORT:
            if hint in lowered:
                sentence = pattern.sub(full, sentence)
                lowered = sentence.lower()
    return sentence


@lru_cache(maxsize=1 << 8)
def without_leads(sentence: str) -> str:
    """A sentence without ``hey``, ``by the way`` and the like at its beginning."""
    bare = texts.without_leads(sentence, words_of.LEADS)
    rest = headless(bare, _MINDS)
    return bare if rest == bare else texts.without_leads(rest, words_of.LEADS)
