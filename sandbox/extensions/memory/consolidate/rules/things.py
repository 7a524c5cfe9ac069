"""Things: which of them a clause is about, what something of the speaker's is, and when it is to be. English. Pure."""

import re
from collections.abc import Sequence

from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import PERSON, PLAN, PROJECT, Clause, name_in, no_passing
from sandbox.extensions.memory.consolidate.rules.contacts import ADDRESS
from sandbox.extensions.memory.consolidate.rules.date_words import MONTHS_EN
from sandbox.extensions.memory.consolidate.rules.introductions import pronoun_of
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said, Setting, Subject
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, grammar, mid


def of_thing(clause: Clause, negated: bool) -> Said:
    """``My favourite colour is green``, ``the deadline is 3 May``."""
    nouns = re.split(r" (?:to|in|with|for|at|of|on) ", clause.about.name.lower())[0].split()
    noun = nouns[-1]
    raw = clause.after(clause.at)
    if not negated and (address := ADDRESS.match(raw)):
        return clause.said("is", address[0].rstrip(".,;"), Kind("fact", 4))
    said, at = clause.value(clause.at), None
    if clause.about.name[:1].isupper() and " " not in clause.about.name and LASTING_STATE.match(said) and not negated:
        return clause.said("are" if clause.about.plural else "is", said, PROJECT)
    is_happening = noun in words_of.HAPPENINGS | {"deadline", "launch", "release"} or _ON_A_DAY.match(said.lower())
    if is_happening and noun not in ("birthday", "anniversary"):
        said, at = dated(said, clause.setting, ahead=True)
        if at:
            return clause.said(
                "is scheduled for",
                re.sub(r"^(?:scheduled |due |planned |set )?(?:on|for|in|by|at)\b ?", "", said),
                PLAN,
                at,
            )
    described = not {"favorite", "favourite", "preferred", "native", "best", "first"}.isdisjoint(nouns)
    is_value = described or noun in words_of.ATTRIBUTES
    if (
        not said
        or negated
        or not (
            is_value
            or (clause.setting.to_assistant and (LASTING_STATE.match(said) or is_setting(noun, said)))
            or re.match(
                r"(?:an?|in|on|at|from|made|based|hosted|written|deployed|built|called|named|due)\b|\d|[A-Z]"
                if noun in words_of.NOUNS
                else _OF_ANY,
                said,
            )
        )
    ):
        raise NotLearnt("passing state")
    if _CHARGED.match(said) or said.split()[0].lower() in ("so", "very", "great", "amazing", "important", "not"):
        raise NotLearnt("passing state")
    no_passing(said)
    if noun == "name" and len(nouns) > 3 and nouns[-2].endswith("'s"):
        whose = clause.about.name.rsplit("'s ", 1)[0]
        owner = Subject(whose, mid(whose), pronoun=pronoun_of(whose.split()[-1]))
        return Said(owner, "is called", name_in(said), PERSON)
    if noun == "name":
        said = name_in(said)
    on_day, day = dated(said, clause.setting, ahead=True)
    if noun not in ("birthday", "anniversary"):
        said, at = on_day, day
    elif not any(sign.isdigit() for sign in said):
        said = re.sub(r" \d{4}$", "", on_day)
    kind = Kind("preference", 3) if described else Kind("fact", 4) if noun in words_of.ATTRIBUTES else PROJECT
    are = clause.about.plural or any(word.low == "are" for word in clause.words[: clause.at])
    return clause.said("are" if are else "is", said, kind, at)


_CHARGED = re.compile(r"(?:at|on|down to) (?:about |only |just )?\d+(?:[.,]\d+)? ?(?:%|percent|degrees|°)")
_OF_ANY = (
    r"(?:from [A-Z]|made (?:in|by|of)|based (?:in|on)|called [A-Z]|named [A-Z]"
    r"|in [\w-]+[/.]\w|in [A-Z]|[A-Z][\w-]+(?: [A-Z\d][\w.-]*)*$|\d+(?:[.,]\d+)? ?[a-z%€$])"
)


_MOST_WORDS = 4  # of a noun phrase
_DONE = r"(?:[a-z]+ed|written|kept|built|made|cut|run|held|sent|drawn|sold|paid|set|generated|running)"
_BY = r"(?:from|in|on|by|with|via|to|at|through|after|every|under|using|as|over|into)"
LASTING_STATE = re.compile(
    rf"(?:{_DONE} {_BY} |(?:called|named) \w|(?:protected|squashed|squash-merged|mandatory|read-only|deprecated"
    r"|immutable|auto-[a-z]+ed)$)"
)
_PASSING_STATE = re.compile(
    r"(?:so|very|too|really|a bit|not|still|being|broken|down|slow|failing|fine|good|bad|great|ready|done|wrong"
    r"|missing|empty|full|gone|stuck|out|up|off|flaky|red|green|ok|okay|important|amazing|weird|strange|unclear"
    r"|confusing|unknown|different|outdated|huge|big|small|ugly|messy|correct|better|worse|tight|due|late|\w+ing)\b",
    re.IGNORECASE,
)


def is_setting(noun: str, said: str) -> bool:
    """Whether that is what somebody chose once, and not how it is just now: ``the ticket prefix is ACME``."""
    return noun in words_of.SETTINGS and _PASSING_STATE.match(said) is None


def thing(words: Sequence[Word], end: int, setting: Setting, no_name: frozenset[str]) -> Subject | None:
    """The thing that stands before a verb, if what is said of it is something that lasts."""
    low, known = words[end].low, grammar()
    is_rule = words[0].low in ("every", "each")
    bare = words[0].low not in ("the", "all", "this") and not is_rule
    noun = words[:end] if bare else words[1:end]
    if words[0].low in ("everything", "everyone"):
        whole = f"{words[0].text.capitalize()} of {mid(setting.speaker.name)}'s team"
        return Subject(whole, mid(setting.speaker.name), is_thing=True) if end == 1 and low in known.things else None
    heads = [word for word in noun if word.text.isalpha() or "-" in word.text]
    if not heads or len(noun) > _MOST_WORDS or not words_of.PRONOUNS.isdisjoint(word.low for word in noun):
        return None
    if heads[-1].low in ("other", "former", "latter", "first", "second", "rest"):
        return None
    head, plural = heads[-1].low, low == "are" or (low in known.of_things and low[-1] != "s")
    is_known = (
        head in words_of.SYSTEMS | words_of.SETTINGS or head == "tests" or bool(_AT_ADDRESS.match(_said(words, end)))
    )
    if low not in known.things and not (is_known and low[-1] == "s" and low not in ("was", "has")):
        return None
    if (low in ("is", "are") and not _is_told(words, end, head)) or (
        low in ("need", "needs") and _said(words, end) in words_of.PASSING
    ):
        return None
    if bare and not (((plural and head.endswith("s") and end <= 2) or is_known) and words[0].low not in no_name):
        return None
    if not (is_known or is_rule) and head in words_of.KIN | words_of.PETS | words_of.TASKS | words_of.HAPPENINGS:
        return None
    name = " ".join(word.text for word in noun)
    article = "" if bare else f"{words[0].low.capitalize()} " if is_rule or words[0].low == "all" else "The "
    whole = f"{article}{name[:1] if article else name[:1].upper()}{name[1:]}"
    return Subject(whole, whole if not article else f"the {name}", is_thing=True, plural=plural)


_ON_A_DAY = re.compile(rf"on (?:the )?(?:\d|(?:{'|'.join(MONTHS_EN).lower()}) \d|\w+day$)")
_ON_HOST = re.compile(r"(?:all |fully )?(?:on|with) (?!\w+day\b|.*'s)[A-Z][\w.+-]*(?: [A-Z][\w.+-]*){0,2}")
_AT_ADDRESS = re.compile(r"(?:at|on|under) (?:https?://)?[\w-]+(?:\.[\w-]+)+")


def _said(words: Sequence[Word], end: int) -> str:
    return " ".join(word.low for word in words[end + 1 :])


def _is_told(words: Sequence[Word], end: int, head: str) -> bool:
    """Whether it is said where something is kept, what it is made of or chosen to be, not how it is just now."""
    said = _said(words, end)
    is_hosted = head in words_of.SYSTEMS and _ON_HOST.fullmatch(" ".join(word.text for word in words[end + 1 :]))
    return bool(is_hosted or LASTING_STATE.match(said) or _ON_A_DAY.match(said) or _AT_ADDRESS.match(said)) or (
        bool(said) and is_setting(head, said)
    )
