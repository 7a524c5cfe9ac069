"""What a statement takes the place of, where what was known before is not at hand: told by its words. English. Pure.

A memory is replaced where it has all the words of a statement that is said to be replaced, and few more; so a value
that is not known is left out.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Manner, Replaced
from sandbox.extensions.memory.consolidate.rules import endings
from sandbox.extensions.memory.consolidate.rules.dates import without, without_names
from sandbox.extensions.memory.consolidate.rules.statements import Said
from sandbox.extensions.memory.consolidate.rules.wordforms import grammar, mid, third

_NOW = re.compile(
    r"\b(?:now|instead|nowadays|these days|as of|from now on|no longer|any ?more|anymore|moved|changed"
    r"|switched|postponed?|new|changed? of plans?|plans (?:have )?chang\w+|(?:my|our) minds?"
    r"|(?:got|was|been) promoted|(?:tak\w+|took) over|replac\w+|pushed|rescheduled"
    r"|after all|again|updated?|upgraded|turned|since)\b",
    re.IGNORECASE,
)
NAMING = ("is called", "are called", "'s name is", "goes by")
_ONE = ("is called", "'s name is", "goes by", "is scheduled for")
_OVER = ("manager", "boss", "supervisor")
_LIKES = ("loves", "likes", "enjoys", "prefers", "adores", "is a fan of")
_LOATHES = ("hates", "dislikes", "cannot stand", "detests", "does not like", "does not enjoy", "avoids")


def slot(said: Said) -> str:
    """What there is one value of at a time, without the value; empty where there may be several."""
    name = said.subject.name
    if said.verb in _ONE:
        return f"{name} {said.verb}" if said.verb != "'s name is" else f"{name}'s name is"
    if said.verb == "is" and re.match(r"\d+ years old$", said.value):
        return f"{name} is years old"
    if said.verb == "is" and "'s " in name and not said.subject.plural:
        return f"{name} is"
    return f"{name} {said.verb}" if said.verb in ("weighs", "costs") else ""


_LONGEST = 80  # characters of such a sentence
_ANNOUNCED = re.compile(
    r"^(?:(?:well|so|ok|okay|oh|bad news|good news|sadly|unfortunately|quick|big|small|new|update|hi|hey)[\s,!:.-]+)*"
    r"(?:(?:another |a )?change of plans?|(?:our |the |my )?(?:plans?|things|that|it|this)(?: have| has|'s|'ve)?"
    r"(?: all)? changed|(?:I|we)(?: have|'ve)? changed (?:my|our) minds?|(?:I|we)(?: have|'ve)? (?:had to )?"
    r"postponed?(?: it)?"
    r"|(?:I|we)(?: have|'ve)? (?:had to )?(?:move|moved|push|pushed|reschedule|rescheduled|delay|delayed) it(?: back)?"
    r"|(?:that|it|this) did(?:n't| not) work out|not any ?more|updates?|new plans?)\b[^,:;]{0,24}$"
    r"|^(?:(?:ok|okay|oh|actually|well|no|and|so),? )*(?:scrap|forget|scratch|drop|never ?mind) (?:that|it|this"
    r"|all that)\b",
    re.IGNORECASE,
)


def is_announcement(sentence: str) -> bool:
    """Whether it only says that what follows is another than before: ``Plans have changed.``"""
    return len(sentence) < _LONGEST and _ANNOUNCED.match(sentence.rstrip(" .!")) is not None


def manner(sentence: str, *, is_marked: bool) -> Manner:
    """Whether it changed, or never was as it was said: ``is_marked`` says so, unless it is said of now."""
    return "correction" if is_marked and not _AT_PRESENT.search(sentence) else "change"


_AT_PRESENT = re.compile(r"\b(?:now|nowadays|these days|no longer|any ?more)\b", re.IGNORECASE)


_THIS, _THAT = r"(?P<one>[\w+#. -]{2,40}?)", r"(?P<other>[\w+#. -]{2,40})"
_COMPARED = {
    "thinks": re.compile(rf"{_THIS} (?P<how>beats?|(?:is|are) (?:(?:much |far )?\w+er|more \w+|worse) than) {_THAT}"),
    "prefers": re.compile(rf"{_THIS} (?P<how>over|to) {_THAT}"),
}


def changed(sentence: str, said: Said, *, is_marked: bool) -> Said:
    """A statement with what it takes the place of; ``is_marked``: it puts right what was said."""
    said, old = _without_old(said)
    ends = (*old, *_ended(sentence, said, is_marked=is_marked))
    return replace(said, replaces=(*said.replaces, *ends))


_IN_PLACE = re.compile(r"^(?P<new>.+?) (?:instead of|in place of|rather than) (?P<old>[^,;]+)$")


def _without_old(said: Said) -> tuple[Said, tuple[Replaced, ...]]:
    """``uses Vite instead of Webpack``: uses Vite, and nothing is said with Webpack any more."""
    match = _IN_PLACE.match(said.value)
    if match is None or said.verb not in (*endings.USES, *_DONE):
        return said, ()
    verbs = endings.USES if said.verb in endings.USES else _DONE
    return replace(said, value=match["new"]), (endings.gone(verbs, endings.named(match["old"]) or match["old"]),)


_DONE = (
    "is learning", "has been learning", "studies", "is studying", "has been studying", "plays", "is playing", "drinks",
    "takes", "teaches", "reads", "is reading", "drives", "rides", "practices",
)  # fmt: skip


def _ended(sentence: str, said: Said, *, is_marked: bool) -> Iterator[Replaced]:
    manner: Manner = "correction" if is_marked else "change"
    name, verb, value = said.subject.name, said.verb, said.value
    if (is_marked or _NOW.search(sentence)) and (known := slot(said)):
        yield Replaced(manner, statement=f"{known}.")
    if is_marked or _NOW.search(sentence):
        yield from same_but_for_value(sentence, said, manner)
        office = said.verb in ("is", "is called") and name.rsplit(" ", 1)[-1] in _OVER
        others = [name.removesuffix(name.rsplit(" ", 1)[-1]) + each for each in _OVER if office]
        yield from (Replaced(manner, statement=f"{each} is.", subject=mid(each)) for each in others if each != name)
    yield from endings.ended(said)
    if reverse := _COMPARED[verb].match(value) if verb in _COMPARED else None:
        one, other = reverse["one"], reverse["other"]
        yield Replaced("change", statement=f"{name} {verb} {other} {reverse['how']} {one}.")
    opposite = _LOATHES if verb in _LIKES else _LIKES if verb in _LOATHES else ()
    for other in opposite:
        yield Replaced("change", statement=f"{name} {other} {value}.")
    if verb.startswith(("does not ", "do not ")):
        base = verb.split(" not ", 1)[1]
        first, _, rest = base.partition(" ")
        positive = f"{third(first)} {rest}".strip()
        yield Replaced(manner, statement=f"{name} {positive} {re.sub(r'^any ', '', value)}.")
    elif verb == "is not":
        yield from (Replaced(manner, statement=f"{name} {how} {value}.") for how in ("is", "works as"))
    elif (infinitive := grammar().base.get(verb)) and re.search(r"\b(?:now|again)\b", sentence):
        yield Replaced("change", statement=f"{name} does not {infinitive} {value}.")


_BESIDE = r"(?:in |at |on |for |to |with |as |of |from |an? |the |my )*"
_NOT_THIS_BUT = re.compile(
    r"^(?P<who>.*?\b)(?P<aux>do not|does not|am not|is not|are not|did not) (?P<verb>(?:(?!but\b)[a-z]+ ){0,3}?)"
    rf"(?P<before>{_BESIDE})(?P<old>[^,;]{{2,40}}?)(?:,? but (?:rather )?|[,;] it is )"
    rf"(?P<again>{_BESIDE})(?P<new>[^,;.!]{{2,40}}?)(?:\s*[,;.!].*)?$"
)


def rebuilt(sentence: str) -> tuple[str, str, str, str] | None:
    """``I don't work on Falcon but on Kestrel``: what is denied, what holds, the old value and the new one; None for
    any other sentence. The sentence has no contractions.
    """
    match = _NOT_THIS_BUT.match(sentence) if " not " in sentence else None
    if match is None or re.match(r"(?:I|he|she|it|we|they|my|not|only)\b ", match["new"]):
        return None
    who, aux, verb, before = match["who"].strip(), match["aux"].split()[0], match["verb"], match["before"]
    old, again = match["old"], match["again"]
    if aux not in ("do", "does", "did") and (kept := re.match(rf"(?P<to>.*\b{again})(?P<old>\S.*)$", old)):
        before, old, again = f"{before}{kept['to']}", kept["old"], f"{before}{kept['to']}"
    if aux in ("do", "does", "did"):
        if not verb and (
            split := re.match(
                r"([a-z]+ )((?:in |at |on |for |to |with |as |of |from |an? |the )*)(.+)",
                old,
            )
        ):
            verb, before, old = split[1], split[2], split[3]
        first, _, rest = verb.strip().partition(" ")
        if not first:
            return None
        verb = f"{first if aux == 'do' else third(first)} {rest}".strip() + " "
    else:
        verb = f"{aux} {verb}"
    holds = f"{who} {verb}{again or before}{match['new']}"
    return f"{who} {match['aux']} {match['verb']}{match['before']}{match['old']}", holds, old, match["new"]


_FIGURE = re.compile(r"\s+(?:v|version )?\d[\w.:]*(?: ?(?:am|pm|%|percent|euros?|dollars?|hours?|days?|people))?$")
_JOINT = re.compile(r"\s+(?:on|in|at|by|for|until|around|this|next|the)$")
_COUNT = re.compile(
    r"^(?:about |around )?"
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?) (?P<what>[a-z][\w-]*)$"
)
_OFF = re.compile(r"\b(?:off|cancell?ed|not happening|fell through)\b")
_BESIDES = re.compile(
    r"\b(?:also|too|as well|another|besides|on the side|second|part-time|in addition|additionally)\b", re.I
)


def same_but_for_value(sentence: str, said: Said, manner: Manner) -> Iterator[Replaced]:
    """What is known of the same with another value, where there is one of it; ``sentence`` says that it is another."""
    whose, verb, value = said.subject.name, said.verb, said.value
    names_old = f"{verb} {value}".startswith("plans to ") and _OFF.search(sentence)  # what is done instead of that
    if _BESIDES.search(sentence) or said.wording or names_old:
        return
    if verb == "works at":
        yield endings.another_job(whose)
    elif verb == "works as":
        yield Replaced(manner, statement=whose, verbs=("works as",))
    elif said.subject.is_thing and verb == "is" and "'s " in whose:
        yield Replaced(manner, statement=whose, verbs=("is",))
    elif verb in ("has", "owns", "have") and (counted := _COUNT.match(value)):
        yield Replaced(manner, statement=f"{whose} {verb} {counted['what']}.")
    elif (kept := _without_value(f"{verb} {value}")) and kept != verb:
        yield Replaced(manner, statement=whose, verbs=(kept,))


def _without_value(text: str) -> str:
    """Without when, and without the figure it ends on; of a plan without where or with whom, too."""
    kept = _JOINT.sub("", without(text).strip(" ,."))
    if text.startswith("plans to "):
        named = without_names(kept)
        kept = named if len(named.split()) > 2 else kept
    if (figure := _FIGURE.sub("", kept)) != kept and len(figure.split()) > 1:
        kept = figure
    return kept if kept != text and len(kept.split()) > 1 else ""
