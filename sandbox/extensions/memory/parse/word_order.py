"""Put a clause into the order of frames: subject, verb, the rest. Pure.

German puts the verb second after a stressed word (*kaffee trink ich nicht*), and last after some conjunctions (*weil
ich in Kiel wohne*). A language with words in the class ``verb_last`` does this; its finite verbs have the lemma ``/v``.
"""

from collections.abc import Iterator, Sequence

from sandbox.extensions.memory.parse.kinds import is_like_name
from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.subjects import People, subjects
from sandbox.extensions.memory.parse.tokens import Token

_STRESSED = 5  # words that may come before the verb


def ordered(
    said: Sequence[Token], sentence: Sequence[Token], start: int, people: People, language: Language
) -> Iterator[list[Token]]:
    """The words of a clause with its subject first. ``start`` is where the clause begins in its sentence; if the words
    begin later, words before the verb were cut. Otherwise verb before subject is a question.
    """
    if "verb_last" not in language.classes:
        return
    first = next((at for at, token in enumerate(sentence) if token.start == said[0].start), 0)
    before = sentence[first - 1] if first else None

    def subject_ends(at: int) -> list[int]:
        return [end for end, _ in subjects("who", said, at, people, language)]

    if before is not None and "verb_last" in before.classes and _is_verb(said[-1]):
        for end in subject_ends(0):
            if 0 < end < len(said):
                yield [*said[:end], _moved(said[-1], said[-1]), *said[end:-1]]
    for at in range(min(_STRESSED, len(said) - 1)):
        if _is_verb(said[at]) and (at or first > start):
            is_meant = at == 0 or not said[at + 1].classes.isdisjoint(("self", "pronoun_f", "pronoun_m"))
            for end in subject_ends(at + 1) if is_meant else ():
                if end > at + 1:
                    yield [*said[at + 1 : end], _moved(said[at], said[-1]), *said[:at], *said[end:]]


def fronted(said: Sequence[Token], people: People, language: Language) -> Iterator[list[Token]]:
    """The words of a clause with those last that come before its subject, or before a verb that has none: *Italian I
    speak*, «астма у меня», «на гитаре играю»; or with its last word behind its subject: «мама в Туле живёт».
    """
    for end, _ in subjects("who", said, 0, people, language):
        if 0 < end < len(said) - 1:
            yield [*said[:end], said[-1], *said[end:-1]]
    for at in range(1, min(_STRESSED, len(said))):
        subject = at + ("adjunct" in said[at].classes)
        is_bound = not said[at - 1].classes.isdisjoint(("adjunct", "asks"))  # *what I don't eat*
        if not is_bound and any(
            end > subject or "/1" in said[at].lemmas
            for end, _ in subjects("who" if subject == at else "who/gen", said, subject, people, language)
        ):
            first = said[0] if is_like_name(said[0]) else said[0]._replace(text=said[0].lower)  # *Aspirin I don't take*
            last = len(said) - sum(not each.classes.isdisjoint(("over", "any")) for each in said[-2:])  # *any more*
            yield [*said[at:last], first, *said[1:at], *said[last:]]


def _moved(verb: Token, last: Token) -> Token:
    """The verb, marked so that the words from it on are known to have been in another order."""
    return verb._replace(start=max(verb.start, last.start), end=last.end)


def _is_verb(token: Token) -> bool:
    return "/v" in token.lemmas
