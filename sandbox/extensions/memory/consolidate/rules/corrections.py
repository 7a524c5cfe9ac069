"""What takes back something said before: ``not X but Y``, ``I meant Y``, ``it's spelled Y``. English. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import changes, slots
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.contractions import expand
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.statements import Said, Subject, Told
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.consolidate.rules.wordforms import grammar
from sandbox.extensions.memory.text.words import terms

_LATEST = 12  # statements back that can be put right

_LONGEST = 14  # words of a sentence that says no more than what was meant

_WHEN = r"(?: (?:the other day|last (?:time|week|month)|yesterday|earlier|before|back then|about (?:that|this)|there))?"
_EXPRESS = (
    r"(?:(?:(?:small|one|quick|minor|tiny|little|slight) )?correction|scratch that|strike that|typo|that was a typo"
    r"|my mistake|my bad|to correct myself|not quite|let me correct (?:that|myself|this)|I stand corrected"
    r"|I (?:misspoke|mistyped|misremembered|was (?:wrong|mistaken)|mixed (?:that|it|them) up|made a (?:mistake|typo)"
    r"|(?:got|said|wrote|typed) (?:that|it) wrong|(?:told|gave) you (?:(?:something|that|it) wrong|the wrong \w+))"
    r"|(?:that|it) is (?:wrong|not right|incorrect|a typo)|that was (?:wrong|a mistake)|I mean(?:t)?(?: to (?:say"
    r"|write|type))?(?! to\b)|make (?:that|it)|(?:that|it|this) should (?:be|have been|say|read))"
)
_MILD = r"(?:actually|sorry|wait|oops|whoops|rather|hang on|hold on|apologies|pardon|no|nope|argh|ugh)"
_FILLING = r"(?:oh|ah|and|hm+|well|um+|uh|er|ok|okay|hey|yes|yeah|but|so|please)"
_LEADS = re.compile(
    rf"^(?:(?:(?P<express>{_EXPRESS}){_WHEN}|(?P<mild>{_MILD})|{_FILLING})(?:[\s,.!:;—–-]+|$))+", re.IGNORECASE
)
_TAIL = re.compile(
    r"(?:[,;(—–-]+ ?| - |\s)(?:sorry|actually|my (?:mistake|bad)|oops|I (?:meant|mean|mistyped|misspoke)|of course"
    r"|rather|to be (?:exact|precise)|typo)\)?$",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[,;] (?:I|because|since|we|my|she|he|they|it is (?:just|always))\b(?! mean).*$", re.IGNORECASE)
_LINK = re.compile(
    r"^(?:(?:it|that|this|he|she|(?:his|her|the|its) name) (?:is|was)|(?:it|that) will be)(?: actually| really)? ",
    re.IGNORECASE,
)
_ON_DAY = re.compile(
    r"(?:the|my|our) (?P<what>[\w' -]{2,30}?) (?:is|was|starts|leaves)(?: actually| really)? (?:on )?"
    r"(?P<new>the \d{1,2}(?:st|nd|rd|th))",
    re.IGNORECASE,
)
_SPELT = re.compile(
    r"^(?:it is |that is |his name is |her name is )?(?:actually )?(?:spelled|spelt|written)(?: as| like)? ", re.I
)
_LETTERS_FIRST = re.compile(
    r"^with(?:out)? (?:(?:an?|the|one|two|double|no|three) [\w' -]{1,16}|[a-z]), (?=[A-Z])", re.IGNORECASE
)
_LETTERS = re.compile(r",? with(?:out)? (?:(?:an?|the|one|two|double|no|three) [\w' -]{1,16}|[a-z])$", re.IGNORECASE)

_WORD = r"[\w@#+&%€$£][\w@#+.'/:&%€$£-]*"
_PHRASE = rf"{_WORD}(?: {_WORD}){{0,4}}?"
_BEFORE = r"(?:(?:in|at|on|an?|the|for|to|with|from|by) ){0,2}"
_CONTRASTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"not {_BEFORE}(?P<old>{_PHRASE}),? (?:but|rather)(?: rather)? {_BEFORE}(?P<new>{_PHRASE})",
        rf"not {_BEFORE}(?P<old>{_PHRASE})(?:[,.;]| [-–—]) (?:it is |but )?{_BEFORE}(?P<new>{_PHRASE})",
        rf"{_BEFORE}(?P<new>{_PHRASE}),? (?:and not|not|instead of|rather than) {_BEFORE}(?P<old>{_PHRASE})",
        rf"(?:when )?I (?:said|wrote|typed|told you|put) {_BEFORE}(?P<old>{_PHRASE})(?: earlier| before| above)?,? "
        rf"(?:but )?(?:I meant|meant|it is|it should be|it should have been|should be) {_BEFORE}(?P<new>{_PHRASE})",
    )
)
_WRONG = re.compile(
    r"^(?:I (?:got|had|gave you|told you|said|wrote)) (?P<what>(?:my|our|the) [\w' -]{2,40}?) (?:all )?wrong\b[^:,;—]*"
    r"[:,;—-]+ ?(?:it|that) (?P<is>is|was|should be) (?P<new>.+)$",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:I|my|we|our)\b(?! mean)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Correction:
    """What is said to be put in the place of what; ``express``: it is said that it is a correction."""

    new: str
    old: str = ""
    express: bool = False
    spelt: bool = False
    of: str = ""  # what it is said of again


def patched(sentence: str, told: Sequence[Told], turn: int, asked: str, now: datetime) -> list[Said]:
    """What was said with another value: ``it's Porto, not Lisbon``; nothing where the sentence is no such correction.
    ``turn`` is the number of the speaker's turn, ``asked`` what another said before it.
    """
    meant = _correction(sentence) if told else None
    if meant is None:
        return []
    latest = list(reversed(told[-_LATEST:]))
    if meant.old:
        return list(_instead(meant, [each.said for each in latest], now))
    if meant.spelt:
        return list(_respelt(meant.new, [each.said for each in latest]))
    latest = [each for each in latest if meant.of in each.said.subject.name.lower()]
    for each in latest if meant.express else [each for each in latest if each.turn > turn - 2]:
        if put := slots.put(each.said, meant.new, now, in_words=meant.express):
            is_new = each.turn == turn  # said in the same breath: no answer to what was asked before it
            is_answer = not (meant.express or is_new) and "?" in asked and not _is_echoed(each.said, put, asked)
            return [] if is_answer else [_corrected(each.said, put)]
    return []


_HINTS = frozenset(  # one of them is in each, or a star; "t" of "isn't"
    """
    no not nope sorry actually wait oops whoops rather correct correction corrections mean meant typo hang hold
    apologies pardon argh ugh instead scratch strike should make stand mistake mistaken bad exact precise spelled spelt
    written with without course t wrong misspoke mistyped typed mixed misremembered
""".split()
)


def _correction(sentence: str) -> _Correction | None:
    if sentence.count(" ") > _LONGEST or ("*" not in sentence and _HINTS.isdisjoint(words_in(sentence))):
        return None
    text = expand(sentence).strip(" .!")
    lead = _LEADS.match(text)
    rest = text[lead.end() :] if lead else text
    starred = re.fullmatch(r"\*\s?([^*]+)|([^*]+)\*", rest)
    rest = starred[1] or starred[2] if starred else rest
    express = bool(starred or (lead and lead["express"]))
    marked = express or bool(lead and lead["mild"])
    rest = _REMARK.sub("", rest) if marked else rest
    if tail := _TAIL.search(rest):
        rest, marked, express = rest[: tail.start()].rstrip(" ,"), True, express or "mean" in tail[0].lower()
    if marked and (day := _ON_DAY.fullmatch(rest)):
        return _Correction(day["new"], express=True, of=day["what"].lower())
    for contrast in _CONTRASTS:
        pair = contrast.fullmatch(_LINK.sub("", rest))
        if pair and _is_fragment(pair["old"]) and _is_fragment(pair["new"]):
            return _Correction(pair["new"], pair["old"], express=True)
    spelt = _SPELT.match(rest) or _LETTERS.search(rest) or _LETTERS_FIRST.match(rest)
    rest = _LETTERS.sub("", _LETTERS_FIRST.sub("", _SPELT.sub("", rest)))
    rest = _LINK.sub("", rest) if marked or spelt else rest
    if not (marked or spelt) or not _is_fragment(rest) or not re.fullmatch(rf"{_BEFORE}{_PHRASE}", rest):
        return None
    return _Correction(rest, express=express, spelt=bool(spelt) and rest[:1].isupper())


def _is_fragment(text: str) -> bool:
    """Whether it can be a value alone: it says nothing of anybody."""
    words = text.lower().split()
    return bool(words) and (words_of.PRONOUNS | _SAYING).isdisjoint(words) and grammar().finite.isdisjoint(words)


_SAYING = frozenset(
    "works work fine good great ok okay please thanks never always yet now today later sure well".split()
)


def _instead(meant: _Correction, told: Sequence[Said], now: datetime) -> Iterator[Said]:
    """In the place of the old value, in the latest statement that has it; of who is called so in all of them."""
    for old, new in ((meant.old, meant.new), (_date(meant.old, now), _date(meant.new, now))):
        has_it = re.compile(rf"\b{re.escape(old)}\b", re.IGNORECASE)
        found = [said for said in told if old and new and has_it.search(said.content)]
        if found and (found[0].verb in changes.NAMING or has_it.search(found[0].subject.name)):
            yield from (_renamed(said, old, new) for said in found)
        elif found:
            said, text = found[0], found[0].value or found[0].wording
            put = slots.put(said, new, now) if moments(old, now) else None
            yield _corrected(said, put or slots.with_text(said, has_it.sub(new, text, count=1)))
        if found:
            return


def _date(word: str, now: datetime) -> str:
    """A day as statements write it."""
    found = moments(word, now, ahead=True)
    return re.sub(r"^(?:on|in) ", "", found[0].written) if found else ""


def _respelt(name: str, told: Sequence[Said]) -> Iterator[Said]:
    """The same with a name written otherwise, wherever it stands."""
    known = {each for said in told for each in re.findall(r"[A-ZÀ-Þ][\w'-]*(?: [A-ZÀ-Þ][\w'-]*)*", _names_in(said))}
    old = max(known, key=lambda each: slots.alike(each, name), default="")
    if not old or old == name or slots.alike(old, name) < slots.ALIKE:
        return
    for said in told:
        if re.search(rf"\b{re.escape(old)}\b", said.content):
            yield _renamed(said, old, name)


def _names_in(said: Said) -> str:
    return f"{said.subject.name.removeprefix('The ')}, {said.value}" if said.value else said.wording


def _renamed(said: Said, old: str, new: str) -> Said:
    swap = re.compile(rf"\b{re.escape(old)}\b")
    about = replace(said.subject, name=swap.sub(new, said.subject.name), about=swap.sub(new, said.subject.about))
    put = replace(
        said, subject=about, value=swap.sub(new, said.value), wording=swap.sub(new, said.wording), mentions=()
    )
    return _corrected(said, put)


def _is_echoed(said: Said, put: Said, asked: str) -> bool:
    """Whether the question before names what would be replaced."""
    gone = set(re.findall(r"\w+", said.content)) - set(re.findall(r"\w+", put.content))
    return not gone.isdisjoint(re.findall(r"\w+", asked))


def _corrected(old: Said, new: Said) -> Said:
    return replace(new, replaces=(Replaced("correction", statement=old.content, subject=_other(old, new)),))


def _other(old: Said, new: Said) -> str | None:
    return old.subject.about if old.subject.about != new.subject.about else None


def opened(sentence: str) -> tuple[str, bool]:
    """A sentence without what says that it puts something right, and whether it said so."""
    if wrong := _WRONG.match(expand(sentence).strip(" .!")):
        return f"{wrong['what']} {'is' if wrong['is'] == 'should be' else wrong['is']} {wrong['new']}", True
    lead = _LEADS.match(sentence)
    if lead is None or not (lead["express"] or lead["mild"]):
        return sentence, False
    rest = sentence[lead.end() :]
    return (rest if lead["express"] and _WHOLE.match(rest) else sentence), True


def settled(sentence: str, said: Said, told: Sequence[Told], now: datetime, *, is_marked: bool) -> Said:
    """A whole statement that replaces another one expressly: what it says in the place of what."""
    if (pair := _INSTEAD.search(expand(sentence).strip(" .!"))) and (
        wrong := slots.put(said, pair["old"], now, in_words=True)
    ):
        manner = changes.manner(sentence, is_marked=True)
        return replace(said, replaces=(*said.replaces, Replaced(manner, statement=wrong.content)))
    for other in reversed(told[-_LATEST:] if is_marked and not _ALSO.search(sentence) else ()):
        if _same_relation(other.said, said) and other.said.content != said.content:
            return replace(said, replaces=(*said.replaces, Replaced("correction", statement=other.said.content)))
    said = changes.changed(sentence, said, is_marked=is_marked)
    return replace(said, replaces=(*said.replaces, *_other_plan(sentence, said, told)))


_IN_PLACE = re.compile(
    r"\b(?:instead|(?:scrap|forget|scratch|drop) (?:that|it|this)|change of plans?|plans? (?:have |has )?changed"
    r"|minds?)\b",
    re.I,
)


def _other_plan(sentence: str, said: Said, told: Sequence[Told]) -> Iterator[Replaced]:
    """What was planned just before, where something else is planned instead of that."""
    if not said.verb.startswith("plans to ") or not _IN_PLACE.search(sentence):
        return
    for each in reversed(told[-3:]):
        plan = each.said
        if plan.verb.startswith(("plans to ", "is ")) and (plan.kind, plan.subject) == (said.kind, said.subject):
            yield Replaced("change", statement=plan.content)
            return


def not_me(sentence: str, said: Said, speaker: Subject) -> Said:
    """``My son is allergic to nuts, not me``: it was never true of the speaker."""
    if said.wording or said.subject.is_self or not _NOT_ME.search(sentence):
        return said
    mine = replace(said, subject=speaker).content
    return replace(said, replaces=(*said.replaces, Replaced("correction", statement=mine, subject=speaker.about)))


_NOT_ME = re.compile(r",? (?:and )?not (?:me|I|myself)[\s.!]*$")


def _about_the_same(one: Said, other: Said) -> bool:
    """Whether two wishes have words in common that tell what is wished."""
    return not set(terms(one.value or one.wording)).isdisjoint(terms(other.value or other.wording))


_ALSO = re.compile(r"\b(?:too|also|as well|another|both)\b", re.IGNORECASE)
_INSTEAD = re.compile(rf"\w(?:,? and|,) not {_BEFORE}(?P<old>{_PHRASE})$")


def _same_relation(one: Said, other: Said) -> bool:
    if "instruction" in (one.kind.category, other.kind.category) and not _about_the_same(one, other):
        return False
    if one.wording or other.wording:
        return one.kind == other.kind and one.wording.split()[:2] == other.wording.split()[:2]
    is_taste = one.kind.type == "opinion"  # of which there are many
    return not is_taste and (one.kind.category, one.subject.name, one.verb) == (
        other.kind.category,  # who is away is not put right by who is ill
        other.subject.name,
        other.verb,
    )
