"""What is said in other words, as the grammar knows it: ``my go-to drink is tea`` is ``my favourite drink is tea``. So
one reading serves many wordings, and the same said twice is learnt once. English. Pure."""

import re
from functools import lru_cache

from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.date_words import MONTHS_EN
from sandbox.extensions.memory.consolidate.rules.english_phrases import PHRASES
from sandbox.extensions.memory.consolidate.rules.wordforms import base_of, grammar
from sandbox.extensions.memory.text.places import size

_TABLE = tuple((hint, re.compile(said), meant) for hint, said, meant in PHRASES)
_AS_ONE = re.compile(
    r"^(?:as|being) (?P<what>(?:an? )?(?P<noun>[\w-]+(?: [\w-]+){0,3}?)(?P<more> (?:in|of|from|at|with|living|based"
    r"|to|who)\b[^,]{2,40})?), (?=(?:I|we|my|our)\b)",
    re.IGNORECASE,
)
_REASON = re.compile(r"^(?:since|as|because|given that|seeing as|now that) (?=(?:I|we|my|our)\b)", re.IGNORECASE)
_SO = re.compile(r"(?<=[a-z]) (?=I (?:am|have|do|can|will|always|usually|need|use|eat|avoid)\b)")
_BARE_BEING = frozenset("allergic vegan vegetarian diabetic colour-blind color-blind celiac coeliac deaf blind".split())


@lru_cache(maxsize=1 << 8)
def reworded(sentence: str) -> str:
    """A sentence without contractions in the words the grammar knows; the same where it has no others."""
    sentence = _instead(sentence)
    if "from " in sentence:
        sentence = _DAYS.sub(r"from \g<one> \g<month> to \g<other> \g<month>", sentence)
    small = sentence if sentence.startswith("I ") else f"{sentence[:1].lower()}{sentence[1:]}"
    for hint, said, meant in _TABLE:
        if hint not in sentence:
            continue
        text = sentence if "who" in said.groupindex else small
        if match := said.search(text):
            return _agreeing(f"{text[: match.start()]}{match.expand(meant)}{text[match.end() :]}", match)
    return _opened(sentence)


_DAY = r"(?:the )?(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_DAYS = re.compile(
    rf"\bfrom {_DAY.format('one')} (?:to|until|till|through) {_DAY.format('other')}(?: of)? "
    rf"(?P<month>{'|'.join(MONTHS_EN)})\b"
)
_TOOL = r"(?!\w+day\b)[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)?"
_CHOSE = re.compile(
    r"^(?P<who>[Ww]e|I) (?:finally |eventually |have )*(?:(?:ended up |are )?going with|went with|ended up using"
    rf"|settled on|(?P<any>chose|picked|opted for|decided on)) (?P<new>{_TOOL}) (?:instead of|over|rather than) "
    rf"(?P<old>{_TOOL})$"
)
_MADE_UP = re.compile(r"[a-z][A-Z]|[A-Z]{2}|[\d.+#]")
_STOPPED = re.compile(
    r"^(?P<left>(?P<who>I|[Ww]e) (?:have )?(?:stopped|quit|gave up|dropped) (?:(?P<did>[a-z]+ing) )?[\w' -]+?)"
    r"(?:,| and| but|, (?:and|but))? (?:(?:I|we) (?:am|are) )?(?:now )?(?P<does>[a-z]+ing) (?P<what>[\w' .-]+?)"
    r"(?: now)? instead$"
)


def _instead(sentence: str) -> str:
    """``I stopped learning Spanish, doing Italian instead``: the verb of the old goes on with the new."""
    chose = _CHOSE.match(sentence)
    named = f"{chose['new']} {chose['old']}" if chose else ""
    is_tool = chose and (not chose["any"] or _MADE_UP.search(named))  # "chose Anna over Bob" is of people
    if chose and is_tool and not (size(chose["new"]) or size(chose["old"])):
        return f"{chose['who']} use {chose['new']} instead of {chose['old']}"
    stopped = _STOPPED.match(sentence)
    does = (stopped["did"] or "") if stopped and stopped["does"] in ("doing", "trying") else stopped and stopped["does"]
    if stopped is None or not does:
        return sentence
    who, base = stopped["who"], base_of(does)
    verb = base if base in grammar().states else f"{'am' if who == 'I' else 'are'} {does}"
    return f"{stopped['left']} and {who} {verb} {stopped['what']}"


_THIRD = re.compile(r"^(?P<who>[Hh]e|[Ss]he|(?:[Mm]y|[Oo]ur) (?!\w+s )[\w-]+(?: [A-Z]\w+)?|[A-Z]\w+) (?P<verb>\w+)")
_OF_THIRD = {"do": "does", "am": "is", "prefer": "prefers", "love": "loves", "avoid": "avoids", "live": "lives"}
_OF_THIRD |= {"work": "works", "come": "comes", "like": "likes", "dislike": "dislikes", "take": "takes"}
_OF_THIRD |= {"attend": "attends", "enjoy": "enjoys", "hate": "hates", "appreciate": "appreciates"}


def _agreeing(sentence: str, match: re.Match[str]) -> str:
    """The verb in the person of who does it; the table has the first."""
    who = match.groupdict().get("who")
    if who is None or who in ("I", "We", "we", "They", "they"):
        return re.sub(r"^([Ww]e|[Tt]hey) am\b", r"\1 are", sentence)
    found = _THIRD.match(sentence)
    if found is None or found["verb"] not in _OF_THIRD:
        return sentence
    return f"{found['who']} {_OF_THIRD[found['verb']]}{sentence[found.end() :]}"


def _opened(sentence: str) -> str:
    """``As a nurse, I work nights``: I am a nurse, and I work nights; ``since I am deaf, ...``: I am deaf."""
    if reason := _REASON.match(sentence):
        return _SO.sub(", and ", sentence[reason.end() :], count=1)
    one = _AS_ONE.match(sentence)
    if one is None:
        return sentence
    noun = one["noun"].lower().split()
    named = noun[-1] in words_of.PROFESSIONS | words_of.LASTING and one["what"].lower().startswith(("a ", "an "))
    if not named and noun[0] not in _BARE_BEING:
        return sentence
    return f"I am {one['what']}, and {sentence[one.end() :]}"
