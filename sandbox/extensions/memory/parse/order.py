"""A clause in the order in which frames are written: whom it is about, the verb, the rest. Pure.

German puts the verb second and what is stressed first (*kaffee trink ich nicht*), and last behind some joins (*weil ich
in Kiel wohne*). A language with words in the class ``verb_last`` is such a one; its finite verbs have the lemma ``/v``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.tokens import Token

_STRESSED = 5  # words that may stand before the verb


def ordered(
    said: Sequence[Token],
    before: Token | None,
    is_led: bool,
    subject_ends: Callable[[int], Iterable[int]],
    language: Language,
) -> Iterator[list[Token]]:
    """The clause with its subject first. ``before`` is the word it follows, ``is_led`` whether something stood before
    it that was cut, which a verb may follow; without that, verb and subject ask.
    """
    if "verb_last" not in language.classes:
        return
    if before is not None and language.has("verb_last", before.lower) and _is_verb(said[-1]):
        for end in subject_ends(0):
            if 0 < end < len(said):
                yield [*said[:end], said[-1], *said[end:-1]]
    for at in range(min(_STRESSED, len(said) - 1)):
        if _is_verb(said[at]) and (at or is_led):
            is_meant = at == 0 or _is_pronoun(said[at + 1], language)
            for end in subject_ends(at + 1) if is_meant else ():
                if end > at + 1:
                    yield [*said[at + 1 : end], said[at], *said[:at], *said[end:]]


def _is_verb(token: Token) -> bool:
    return "/v" in token.lemmas


def _is_pronoun(token: Token, language: Language) -> bool:
    return any(language.has(name, token.lower) for name in ("self", "pronoun_f", "pronoun_m"))
