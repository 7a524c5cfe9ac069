"""Other names of whoever or whatever is spoken of: ``Bob, short for Robert``, ``we call him Tom``, ``NFC for short``.
English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import EntityType, Mention
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.contractions import expand
from sandbox.extensions.memory.consolidate.rules.endings import gone
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting, Subject
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.consolidate.rules.wordforms import mid

_NAME = r"[A-ZÀ-Þ][\w&'-]*(?: (?:of |de |van |von )?[A-ZÀ-Þ][\w&'-]*){0,4}"
_ONE = r"[A-ZÀ-Þ][\w'-]*(?: [A-ZÀ-Þ][\w'-]*)?"
_WHO = r"(?:we|I|everyone|everybody|people|friends|(?:my|his|her|our|all|the) [\w ]{3,20}|they|most people|colleagues)"
_CALL = r"(?:all |just |mostly |always |usually |only )?calls?"

_ASIDES = (
    re.compile(
        rf",? (?:-|–|—|\()?(?:but |and |whom )?{_WHO} {_CALL} (?:him|her|them|it) (?P<alias>{_ONE})"
        r"(?:\)(?=\s|$)|,|$| -| –| —)"
    ),
    re.compile(rf",? \(?(?:or )?(?P<alias>{_ONE}) for short\)?,?"),
    re.compile(
        rf"(?:,? \(?(?:better |also )?(?:known as|aka|a\.k\.a\.|nicknamed|abbreviated(?: as| to)?)|(?:,| \() ?called) "
        rf"(?P<alias>{_ONE})\)?,?"
    ),
    re.compile(r" \((?P<alias>[A-Z][A-Z\d]{1,6}|[A-Z][a-z]+)\)"),
)
_OF_MINE = rf"(?:(?:[Mm]y|[Oo]ur) (?P<noun>[a-z]+) )?(?:[Tt]he )?(?P<name>{_NAME})"
_SAME = (
    re.compile(
        rf"^(?P<alias>{_NAME}),? (?:(?:is|was) (?:just |really |actually )?)?(?:short for|a nickname for"
        rf"|the nickname of|an abbreviation (?:for|of)|the short form of|what {_WHO} {_CALL}) "
        rf"{_OF_MINE}"
    ),
    re.compile(rf"^(?P<alias>{_NAME}) (?:stands for|means|refers to) {_OF_MINE}"),
    re.compile(
        rf"^{_OF_MINE} (?:goes by|is (?:also |better )?known as|is short(?:ened)? to) (?P<alias>{_ONE})(?=$|[ ,])"
    ),
    re.compile(
        r"^(?P<alias>[A-Z][A-Z\d]{1,6}) (?:stands for|means|is short for) "
        r"(?P<name>(?!the\b|that\b)[a-z][\w -]{3,50}?)(?= here| for us|$|,)"
    ),
)
_SHORT_FIRST = re.compile(rf"\b(?P<alias>{_ONE})(?: \(|, )short for (?P<name>{_ONE})\)?,?")

_CALL_ME = re.compile(
    r"(?:^|[,;.]\s|\s[-–—]\s?|\b(?i:and|but|so|just|please|simply|can|may|should|always|now on|everyone|people"
    r"|friends|family|they|colleagues|everybody|mates|kids|students|parents|folks|most),?\s)(?:(?:please|just|simply"
    r"|you can|all|always)\s)*[Cc]alls? me (?P<name>(?:(?:Dr|Mr|Mrs|Ms"
    r"|Prof)\.? )?[A-ZÀ-Þ][\w'-]*(?: [A-ZÀ-Þ][\w'-]*)?|[a-z]+(?=[\s.!]*$))(?=\s*[,.!;)]|\s*$| (?:from|instead|by|for"
    r"|please|not|if|and|though|btw|everyone))"
)
_GO_BY = re.compile(
    r"\b(?:I (?:usually |mostly |also |now |prefer to |would rather )?(?:go by|be called|use the name)"
    r"|[Mm]y (?:nickname|preferred name) is|(?:address|refer to) me as|knows? me (?:as|by)|I am (?:also |better "
    r"|mostly |usually )?known as|I answer to|I prefer(?: to be called| the name)?(?= [A-Z]\w+(?:$|[.,!]| (?:over|to"
    r"|instead))))(?: the name)? (?P<name>[A-ZÀ-Þ][\w'-]*)"
)
_FINE = re.compile(
    r"^(?:[Jj]ust )?(?P<name>[A-ZÀ-Þ][\w'-]*) (?:is|works|will do)(?: just| perfectly)?(?: fine| for me)(?: for me)?$"
)
_NO_NAME = frozenset(
    "back later crazy old tomorrow when if maybe sometime soon anytime a an the tonight today names now again asap "
    "stupid silly anything whatever out up on in at what by sir boss something this that".split()
)


def called(sentence: str, setting: Setting) -> Said | None:
    """What the speaker is to be called: ``call me Max``. None where that is not said."""
    text = expand(sentence).strip()
    match = (
        _CALL_ME.search(text)
        or _FINE.match(text.strip(" .!"))
        or (_GO_BY.search(text) if not text.endswith("?") else None)
    )
    if match is None or match["name"].lower() in _NO_NAME:
        return None
    before = text[: match.start()].lower()
    if re.search(r"\b(?:not|never|used to|do not|stop|if|when)\s*(?:\w+\s)?$", before):
        return None
    name = match["name"] if match["name"][0].isupper() else match["name"].capitalize()
    about = replace(setting.speaker, aliases=(name,))
    old = _INSTEAD.search(text, match.end())
    ends = (gone(("goes by", "is called"), old["old"]),) if old else ()
    return Said(about, "goes by", name, Kind("fact", 5), replaces=ends)


_INSTEAD = re.compile(r"(?:instead of|rather than|not|and not) (?P<old>[A-ZÀ-Þ][\w'-]*)")


_UNWANTED = (
    r"(?:stop|quit|no more|never|(?:please )?do not|would (?:rather|prefer)(?: that| if)? you (?:did not|not|stopped)"
    r"|no longer|(?:do not|would not) (?:want|like) (?:you|people|anyone|anybody|everyone) to)(?: ever)?"
    r" (?:call(?:ing)?|address(?:ing)?|refer(?:ring)? to)(?: me)?(?: as)?"
    r"|(?:do not|no longer|not) (?:want|like|wish|prefer)s? (?:to be|being|it when (?:people|you))"
    r" (?:called|addressed as|referred to as|call me)|(?:no longer|do not) go by(?: the name)?"
)
_NOT_CALLED = re.compile(
    rf"\b(?i:{_UNWANTED}) (?P<name>[A-ZÀ-Þ][\w'-]*(?: [A-ZÀ-Þ][\w'-]*)?)(?=$|[\s,.!;])",
)


def not_called(sentence: str, setting: Setting) -> tuple[Said, str] | None:
    """What the speaker is never to be called, or no longer: ``stop calling me Bob``; and what else is said."""
    text = expand(sentence).strip()
    match = _NOT_CALLED.search(text)
    if match is None or re.search(r"\b(?:if|when)\b", text[: match.start()]):
        return None
    ends = gone(("goes by", "is called", "prefers the name"), match["name"])
    said = Said(setting.speaker, "does not want to be called", match["name"], Kind("instruction", 4), replaces=(ends,))
    return said, text[match.end() :].strip(" ,.;!")


def same(sentence: str, setting: Setting) -> Said | None:
    """``Liz is short for Elizabeth``: two names of one; None where that is not said."""
    text = expand(sentence).strip(" .!")
    match = next((found for pattern in _SAME if (found := pattern.match(text))), None)
    names = (match["alias"], match["name"]) if match else ("", "")
    if (
        match is None
        or names[0] == names[1]
        or not words_of.PRONOUNS.isdisjoint((names[0].split()[0].lower(), names[1].lower()))
    ):
        return None
    alias, name = names
    noun, known = match.groupdict().get("noun"), setting.people.get(name)
    others = (f"{mid(setting.speaker.name)}'s {noun}",) if noun else known.aliases if known else ()
    type_ = _type(alias, name)
    is_person = type_ == "person"
    about = Subject(name, name, is_thing=not is_person, aliases=(alias, *others))
    return Said(
        about,
        "",
        kind=Kind("person" if is_person else "fact", 4),
        wording=f"{alias} is {'short for' if is_person else 'the short name of'} {name}",
        mentions=(Mention(name, type_, about.aliases),),
    )


def aside(sentence: str) -> tuple[str, dict[str, str]]:
    """A sentence without what only says how somebody in it is called besides, and that: the other name by the name."""
    found: dict[str, str] = {}
    short = _SHORT_FIRST.search(sentence)
    if short and short.start() > 0:
        found[short["name"]] = short["alias"]
        return f"{sentence[: short.start()]}{short['name']}{sentence[short.end() :]}", found
    for pattern in _ASIDES:
        match = pattern.search(sentence)
        before = re.search(rf"{_NAME}$", sentence[: match.start()]) if match else None
        article = before and re.search(r"\b(?:[Aa]n?|another|one) $", sentence[: before.start()])
        if match and before and not article and _may_be_called(before[0], match["alias"]):
            found[before[0]] = match["alias"]
            rest = sentence[match.end() :].lstrip(" ,")
            joint = ", " if _ANOTHER.match(rest) else " "
            sentence = f"{sentence[: match.start()]}{joint}{rest}".strip()
    return sentence, found


_ANOTHER = re.compile(r"(?:I|we|he|she|it|they|my|our|and|but|so)\b", re.IGNORECASE)


def mentions(found: dict[str, str]) -> Iterator[Mention]:
    """Those who are named in two ways."""
    for name, alias in found.items():
        yield Mention(name, _type(alias, name), (alias,))


def hints(sentence: str) -> bool:
    """Whether a sentence may tell another name."""
    return ("(" in sentence or not _HINTS.isdisjoint(words_in(sentence))) and bool(_HINTING.search(sentence))


_HINTS = frozenset(
    """
    call calls called calling know knows fine short answers known aka k nick nickname nicknames nicknamed stands
    abbreviated abbreviation abbrev go goes same mean means refer address prefer name
""".split()
)
_HINTING = re.compile(
    r"\b(?i:calls?|knows? me|fine|short|answers to|known as|aka|a\.k\.a|nick\w*|stands for|abbrev\w*|go(?:es)? by"
    r"|the same|I mean|means|refer|address|prefer|call(?:ed|ing)|name)\b|\([A-Z]\w+\)"
)


def _may_be_called(name: str, alias: str) -> bool:
    """Whether it is no other thing in brackets: letters of its words, or a word for whom names are shortened."""
    return name != alias and (
        not alias.isupper() or {*alias.lower()} & {word[0].lower() for word in name.split()} != set()
    )


def _type(alias: str, name: str) -> EntityType:
    if alias.isupper() and len(alias) > 1:
        return "organization" if _FIRM.search(name) else "concept"
    return "organization" if _FIRM.search(name) else "person" if len(name.split()) < 3 else "concept"


_FIRM = re.compile(
    r"\b(?:Company|Inc|Ltd|GmbH|Corp\w*|Group|Agency|Office|University|College|Institute|Bank|Hospital"
    r"|Association|School"
    r"|Services?|Systems|Society|Department|Foundation|Center|Centre|Union|Team|Department|Partners|Labs?|Industries)\b"
)
