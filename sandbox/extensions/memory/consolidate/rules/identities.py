"""Who a name means, and how somebody is called besides. English. Pure.

``Sully is Mark Sullivan, my old roommate``; ``everybody calls my brother Sebastian "Bash"``; ``Falcon is our
name for the payments gateway``.
"""

import re

from sandbox.extensions.memory.consolidate.proposal import Mention
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.contractions import expand, without_leads
from sandbox.extensions.memory.consolidate.rules.introductions import named
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting, Subject
from sandbox.extensions.memory.consolidate.rules.wordforms import mid
from sandbox.extensions.memory.text.places import size

_ONE = r"[A-ZÀ-Þ][\w'-]*"
_NAME = rf"{_ONE}(?: (?:(?:of|de|van|von|the) )?{_ONE}){{0,3}}"
_FULL = rf"{_ONE}(?: (?:(?:de|van|von) )?{_ONE}){{1,3}}"
_Q = r"[\"“”'«»]?"
_WHO = (
    r"(?i:(?:we|I|they|people|friends|colleagues|everyone|everybody|most people|the (?:kids|family|team|others)"
    r"|(?:my|his|her|our) [\w ]{3,20})(?: (?:all|just|mostly|always|usually|only|still|sometimes|have))*)"
)
_KIN = rf"(?:{'|'.join(sorted(words_of.KIN | words_of.PETS, key=len, reverse=True))})"
_END = r"(?=$|[,.;!]| (?:so|and|but|because|for short|at|in|since)\b)"
_THING = r"(?P<thing>(?:(?:the|our|my|this) )(?:[a-z][\w-]*|[A-Z]{2,5})(?: [a-z][\w-]*){0,3})"
_NAMING = (
    r"(?:(?:our|the|my|an?)(?: \w+){0,2}? ?(?:code ?|nick|pet |short |working |team )?"
    r"(?:name|codename|nickname|shorthand))"
)

_CALLED = re.compile(
    rf"^{_WHO} (?:call|calls|called|nicknamed|named|know|refer to) (?:(?i:my|our) (?P<noun>(?:[a-z]+ )?{_KIN}) ?)?"
    rf"(?:(?P<name>{_NAME}),? (?:as )?)??{_Q}(?P<alias>{_ONE}(?: {_ONE})?){_Q}{_END}"
)
_CALLED_SO = re.compile(
    rf"^{_WHO} (?:call|calls|nicknamed|named|have named|decided to name) (?P<who>him|her|it|them) (?:just |simply )?"
    rf"{_Q}(?P<alias>{_ONE}(?: {_ONE})?){_Q}{_END}"
)
_GOES_BY = re.compile(
    rf"^(?i:my|our) (?P<noun>(?:[a-z]+ )?{_KIN})(?: (?P<name>{_NAME}))? (?:goes by|is (?:also |better |just |usually )?"
    rf"(?:known (?:as|to \w+ as)|nicknamed)|prefers to be called|answers to) {_Q}(?P<alias>{_ONE}){_Q}{_END}"
)
_FULL_NAME = re.compile(
    rf"^(?:(?P<alias>{_ONE})'s|(?P<who>[Hh]is|[Hh]er)|(?i:my|our) (?P<noun>{_KIN})(?: (?P<short>{_ONE}))?'s)"
    rf" (?:full|real|proper|given|actual|legal|official|whole) name is (?:actually )?(?P<name>{_NAME}){_END}"
)
_IS_FULL_NAME = re.compile(
    rf"^(?P<name>{_NAME}) is (?P<alias>{_ONE})'s (?:full|real|proper|given|actual|legal|official|whole) name{_END}"
)
_IS_WHO = re.compile(
    rf"^(?:{_Q}(?P<alias>{_ONE}){_Q} is (?:actually |really |just |in fact )?(?P<name>{_FULL})"
    rf"|(?P<handle>@[\w.-]*\w) is (?:actually |really |just )?(?P<whose>{_NAME}))"
    r"(?:(?:,| -| –| —)? (?:and )?(?:(?:she|he|they) (?:is|are) )?(?P<role>(?:my|our) [A-Za-z][\w' -]{2,40}|(?:from"
    r"|in) (?:the )?[a-z][\w' -]{2,30}))?[\s.!]*$"
)
_NAME_FOR = re.compile(
    rf"^{_Q}(?P<alias>{_NAME}){_Q} is (?:just |only )?(?:{_NAMING} (?:for|of)|what (?:we|they|people|I|the team) calls?"
    rf"|how we refer to) {_THING}{_END}"
)
_THING_CALLED = re.compile(
    rf"^(?:(?i:we|they|the team|everyone)(?: all| just| internally)? (?:call|calls|refer to|nicknamed) )?{_THING}"
    rf" (?:is (?:called|known as|nicknamed|codenamed|code-named)|goes by|as)? ?{_Q}(?P<alias>{_NAME}){_Q}"
    r"(?: (?:internally|in-house|in chat|among us|for short|at work))?[\s.!]*$",
)
_NO_NAME = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december today it this that he she they i christmas easter""".split()
)
_PERSON, _NAMED = Kind("person", 4), Kind("project", 3)


def identity(sentence: str, setting: Setting) -> Said | None:
    """Who a name means or how somebody or something is called besides; None where that is not said."""
    text = without_leads(expand(sentence)).strip(" .!")
    return next((said for way in _WAYS if (said := way(text, setting))), None)


def _of_people(text: str, setting: Setting) -> Said | None:
    match = _CALLED.match(text) or _GOES_BY.match(text)
    if match is None or not (match["noun"] or match["name"]) or match["alias"].lower() in _NO_NAME:
        return None
    return also(_person(match["noun"], match["name"], setting), match["alias"])


def _of_last(text: str, setting: Setting) -> Said | None:
    match, last = _CALLED_SO.match(text), setting.last
    if match is None or last is None or match["alias"] == last.about:
        return None
    return also(last, match["alias"])


def _person(noun: str | None, name: str | None, setting: Setting) -> Subject:
    if noun and name:
        return named(setting.speaker, noun, name)
    if noun:
        whose = f"{setting.speaker.name}'s {noun}"
        return setting.people.get(noun.split()[-1]) or Subject(whose, mid(whose))
    return setting.people.get(name or "") or Subject(name or "", name or "")


def also(about: Subject, alias: str) -> Said:
    """That somebody is called otherwise besides."""
    known = Subject(
        about.name, about.about, pronoun=about.pronoun, aliases=tuple(dict.fromkeys((*about.aliases, alias)))
    )
    return Said(known, "is also called", alias, _PERSON, mentions=(Mention(about.about, "person", known.aliases),))


def _with_full_name(text: str, setting: Setting) -> Said | None:
    """``Dee's full name is Deirdre Maguire``."""
    match = _FULL_NAME.match(text) or _IS_FULL_NAME.match(text)
    found = match.groupdict() if match else {}
    if match is None or (found.get("who") and setting.last is None):
        return None
    if found.get("who") and setting.last:
        about = setting.last
    else:
        about = _person(found.get("noun"), found.get("alias") or found.get("short"), setting)
    whose = f"{about.name}'s full name is {match['name']}"
    aliases = tuple(dict.fromkeys((about.about, *about.aliases)))
    return _same(match["name"], aliases, whose, about.pronoun)


def _is_who(text: str, setting: Setting) -> Said | None:
    """``Sully is Mark Sullivan, my old roommate``: the name of somebody who was spoken of by another, or is like it."""
    match = _IS_WHO.match(text)
    if match is None:
        return None
    alias, name, role = match["alias"] or match["handle"], match["name"] or match["whose"], match["role"] or ""
    if alias.lower() in _NO_NAME or size(name) or size(alias):
        return None
    alike = any(part[:3].lower() == alias[:3].lower() for part in name.split())
    if not (role or alike or match["handle"] or alias in setting.people):
        return None
    owner = mid(setting.speaker.name)
    told = (
        f", {re.sub(r'^(?:my|our) ', f'{owner}{chr(39)}s ', role)}" if role.startswith(("my ", "our ")) else f" {role}"
    )
    return _same(name, (alias,), f"{alias} is {name}{told if role else ''}")


def _same(name: str, aliases: tuple[str, ...], wording: str, pronoun: str = "") -> Said:
    about = Subject(name, name, pronoun=pronoun, aliases=aliases)
    return Said(about, "", kind=_PERSON, wording=wording, mentions=(Mention(name, "person", aliases),))


def _of_things(text: str, setting: Setting) -> Said | None:
    """``Falcon is our name for the payments gateway``."""
    match = _NAME_FOR.match(text) or _THING_CALLED.match(text)
    if match is None or match["alias"].lower() in _NO_NAME:
        return None
    owner = mid(setting.speaker.name)
    thing = re.sub(r"^(?:my|our) ", f"{owner}'s ", re.sub(r"^this ", "the ", match["thing"]))
    noun = match["thing"].split(" ", 1)[1]
    if not (words_of.KIN | words_of.PETS | {"is", "are"}).isdisjoint(noun.split()) or not words_of.PRONOUNS.isdisjoint(
        noun.split()
    ):
        return None
    about = Subject(match["alias"], match["alias"], is_thing=True)
    mention = Mention(match["alias"], "concept", (noun,))
    return Said(about, "", kind=_NAMED, wording=f"{match['alias']} is what {thing} is called", mentions=(mention,))


def _renamed(text: str, _: Setting) -> Said | None:
    """``Lantern has been renamed to Beacon``: what is called otherwise from then on is the same."""
    match = next((found for pattern in _OTHER_NAME if (found := pattern.match(text))), None)
    if match is None or not _NO_NAME.isdisjoint((match["old"].lower(), match["new"].lower())):
        return None
    about = Subject(match["new"], match["new"], is_thing=True, aliases=(match["old"],))
    mention = Mention(match["new"], "project", (match["old"],))
    return Said(about, "", kind=_NAMED, wording=f"{match['old']} is called {match['new']} now", mentions=(mention,))


_OLD, _NEW = (rf"(?:(?:the|our|my) (?:[a-z]+ ){{0,2}})?{_Q}(?P<{which}>{_NAME}){_Q}" for which in ("old", "new"))
_OTHER_NAME = (
    re.compile(
        rf"^{_OLD} (?:(?:has been|was|is|got|is being|has just been) (?:now |officially )?renamed(?: to| as| into)?"
        rf"|is now (?:called"
        rf"|named|known as)|became|goes by a new name:|is (?:called|named)(?= [^,]* now$)) {_NEW}(?: now)?(?=$|[,.;!]"
        rf"| because| last| this)"
    ),
    re.compile(
        rf"^(?:[^,]{{2,40}}, )?(?:we|they|the team|I|marketing|legal)(?: have| has| just)* (?:renamed|rebranded"
        rf"|rechristened) {_OLD} (?:to|as|into) {_NEW}"
    ),
    re.compile(
        rf"^{_NEW} (?:used to be|was (?:formerly|previously|originally|once)|is (?:the new name (?:for|of)"
        rf"|what used to be))"
        rf" (?:called |named |known as )?{_OLD}(?=$|[,.;!])"
    ),
)
_WAYS = (_of_last, _of_people, _with_full_name, _is_who, _of_things, _renamed)


def placed(sentence: str) -> str:
    """A sentence in which who somebody is stands before their name: ``Anna (my sister)`` as ``my sister Anna``."""
    if ". " in sentence:
        sentence = _TITLED.sub(r"\1 ", sentence)
    return _APART.sub(r"\g<who> \g<name>", sentence) if "(" in sentence else sentence


_TITLED = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof)\. (?=[A-Z])")
_APART = re.compile(rf"\b(?P<name>{_ONE}) ?(?:\((?P<who>(?:my|our) (?:[a-z]+ )?{_KIN})\))")


def hints(sentence: str) -> bool:
    """Whether a sentence may tell who a name means."""
    return _HINTS.search(sentence) is not None


_HINTS = re.compile(
    rf"\b(?:[Cc]all\w*|name|(?:re)?named|rebranded|used to be|nicknamed|named|known|goes by|I mean"
    rf"|we mean|answers to)\b|\b{_ONE}[\"”]? is (?:\w+ )?[A-Z]|^@[\w.-]+ is [A-Z]"
)
