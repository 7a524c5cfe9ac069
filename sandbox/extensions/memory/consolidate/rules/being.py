"""What somebody or something is, was, and when it is to be. English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules import duties
from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import PERSON, PLAN, PROJECT, Clause, head_of, name_in, team_of
from sandbox.extensions.memory.consolidate.rules.happening import happened
from sandbox.extensions.memory.consolidate.rules.having import doing, equal, goes_on
from sandbox.extensions.memory.consolidate.rules.planning import given_up, intends, planned, planned_to
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.things import of_thing
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import grammar, lookup
from sandbox.extensions.memory.text.places import size

_NUMBERS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_AGE = re.compile(rf"^(\d{{1,2}}|{'|'.join(_NUMBERS)})(?: years old| years of age| y/?o)?$")
_OF_AGE = re.compile(r"^(?P<a>an? )(?P<age>\d{1,2})[- ]years?[- ]old (?=[a-z])")
_FROM = re.compile(r" (?P<how>from|based in|living in) (?P<where>[A-Z][\w'-]*(?:,? [A-Z][\w'-]*)*)$")
_BELONGS = re.compile(
    r"^(?:(?:on|in) (?:the|an?) .*\b(?:team|board|committee|council|squad|choir|band|orchestra|union|parliament)\b"
    r"|in .+'s (?:first|second|third|fourth|fifth|final|last) (?:year|semester|trimester)\b.*)"
)
_EMPLOYED = re.compile(r"(?P<how>with|at) (?P<where>[A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*)$")
_IS_NAME = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]+(?: [A-ZÀ-Þ][a-zß-ÿ]+)?(?=$|,| and I| but|\.)")
_PEOPLES = frozenset("Welsh Thai Arab Slovak Croat Turk Maori Scots Kurd Dutch French Greek Czech Swiss".split())
_NO_NAME = frozenset("Monday Friday OK Ok Ready Done Back Sorry Fine".split())
_NO_NOUN = frozenset("bit lot mess fan little total huge few long big great good lucky happy".split())
_PEOPLE = re.compile(r"(?:ese|ian|ean|ish|can|man|sch|ch|i|ole|ss|er|ek)$")


def is_(clause: Clause) -> Iterator[Said]:
    """I am ..., my sister is ..."""
    clause = clause.ahead()
    negated = clause.low() == "not"
    if negated:
        clause = clause.ahead()
    clause = replace(clause.without_adverbs(), habit="")
    if clause.low() == "not":
        negated, clause = True, clause.ahead()
    if clause.low() in ("called", "named") and clause.low(1) != "after":
        name = clause.value(clause.at + 1)
        several = clause.about.plural and not clause.about.is_thing
        yield clause.said(
            "are called" if several else "is called",
            name if several or clause.about.is_thing else name_in(name),
            clause.kind,
        )
    elif (
        clause.low() in ("hoping", "aiming", "determined") and clause.low(1) == "to" and clause.low(2) in verbs_of.LIFE
    ):
        yield from intends(clause)
    elif clause.low() == "going" or clause.low() in ("planning", "set"):
        yield from planned_to(clause, negated)
    elif found := lookup(grammar().going_on, clause.words, clause.at):
        yield from goes_on(clause, *found, negated=negated)
    elif clause.ended and clause.low().endswith("ing"):
        yield from given_up(clause)
    elif (
        clause.low().endswith("ing")
        and not negated
        and clause.low() not in verbs_of.AHEAD | {"looking", "getting", "waiting", "trying", "thinking"}
        and clause.lies_ahead
    ):
        said, at = dated(clause.value(clause.at + 1), clause.setting, ahead=True)
        yield clause.said(f"is {clause.low()}", said, PLAN, at)
    elif clause.low().endswith("ing") and clause.low() in verbs_of.AHEAD:
        yield from planned(clause, f"{'not ' if negated else ''}{clause.low()}", clause.at + 1, progressive=True)
    elif (
        clause.low().endswith("ing")
        and not negated
        and not clause.ended
        and len(clause.low()) > 5
        and clause.about.is_self
        and not lookup(grammar().be, clause.words, clause.at)
    ):
        yield from doing(clause)
    elif found := lookup(grammar().be, clause.words, clause.at):
        yield equal(clause, " ".join(found[0].said), clause.value(found[1]), found[0].kind, negated)
    else:
        yield from _is_what(clause, negated)


def _is_what(clause: Clause, negated: bool) -> Iterator[Said]:
    """A profession, an age, a people, a value of something."""
    if clause.about.is_thing:
        yield of_thing(clause, negated)
        return
    raw = clause.after(clause.at)
    whole = clause.value(clause.at)
    said, details = _with_details(clause, whole) if not negated else (whole, ())
    yield from details
    head = head_of(said)
    if (match := _MEASURE.match(raw)) and not negated:
        yield clause.said("is", match[1], clause.kind)
    elif clause.about.plural and re.fullmatch(r"\d{1,2}(?:, \d{1,2})*,? and \d{1,2}", said):
        yield clause.said("are", f"{said} years old", clause.kind)
    elif match := _AGE.match(said):
        yield clause.said("is", f"{match[1]} years old", clause.kind)
    elif (
        said.split(" ")[0].lower() in ("a", "an") and head in words_of.PROFESSIONS and not negated and not clause.ended
    ):
        by_training = re.search(
            r" by (?:training|education|trade|profession)$|^an? (?:retired|former|ex-|aspiring|amateur)", said
        )
        yield clause.said("is" if by_training else "works as", said, clause.kind)
    elif said.split(" ")[0].lower() in ("a", "an", "the", "one") and (
        _is_lasting_noun(said, head) or (clause.setting.to_assistant and _may_last(said, head))
    ):
        yield equal(clause, _plainly(said), "", clause.kind, negated)
    elif not negated and not clause.ended and (found := list(duties.role(clause, said))):
        yield from found
    elif clause.about.is_team and not negated and (version := _ON_VERSION.fullmatch(said)):
        yield replace(clause, about=team_of(clause.about)).said("uses", version[1], PROJECT)
    elif (place := _EMPLOYED.match(said)) and not negated and _is_work(clause, place["how"], place["where"]):
        yield clause.said("works at", place["where"], clause.kind)
    elif clause.lies_ahead and re.match(r"(?:in|at) [A-Z]", said) and not negated:
        said, at = dated(said, clause.setting, ahead=True)
        yield clause.said("plans to be", said, PLAN, at)
    elif _AWAY.match(said) and clause.lies_ahead and not negated:
        said, at = dated(said, clause.setting, ahead=True)
        yield clause.said("are" if clause.about.plural else "is", said, PLAN, at)
    elif _BELONGS.match(said):
        yield equal(clause, said, "", clause.kind, negated)
    elif "'s " in clause.about.name and re.fullmatch(r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)*", said) and not negated:
        yield clause.said("is", said, PERSON)
    elif (
        said[:1].isupper()
        and " " not in said
        and (said in _PEOPLES or _PEOPLE.search(said.lower()))
        and clause.about.is_self
    ):
        yield equal(clause, said, "", clause.kind, negated)
    elif clause.about.is_self and _IS_NAME.match(raw) and not negated and said not in _NO_NAME:
        name, *age = re.split(r", (?=\d{1,2}$)", said)
        yield replace(clause.said("'s name is", name, Kind("fact", 4)), wording=f"{clause.about.name}'s name is {name}")
        yield from (clause.said("is", f"{years} years old", clause.kind) for years in age)
    else:
        raise NotLearnt("passing state")


def _is_work(clause: Clause, how: str, where: str) -> bool:
    """Whether who is ``with Datadog now``, ``at Bosch now`` works there and is not only just there."""
    if duties.is_of_work(clause.setting.turn):
        return not size(where)
    is_told = not clause.about.is_team if how == "with" else not (clause.about.is_self or size(where))
    return is_told and bool(re.search(r"\bnow\b", clause.text)) and clause.setting.to_assistant


_AWAY = re.compile(
    r"(?:(?:away|off) )?on (?:[a-z]+ )?(?:vacation|holidays?|leave|an? (?:[a-z]+ )?(?:trip|retreat|cruise|sabbatical"
    r"|honeymoon))\b|(?:away|abroad|off(?: work)?|out of (?:the )?office) (?=(?:from|until|till|on|next|in) )"
)


_ON_VERSION = re.compile(r"(?:still )?on ([A-Z][\w.+#-]+(?: [A-Z]\w+)? v?\d[\w.]*)")
_MEASURE = re.compile(
    r"((?:about |around |almost )?\d+(?:[.,]\d+)? ?(?:cm|m|meters|metres|ft|feet|foot|inches|kg|kilos|lbs?|pounds)"
    r"(?: ?\d+(?: ?(?:cm|in|inches))?)?(?: tall)?|\d'\d{1,2}\"?(?: tall)?|left-footed|size \d+)\b"
)
_NEVER_LASTS = (
    words_of.NO_BEING
    | words_of.TASKS
    | words_of.PASSING
    | words_of.VAGUE
    | frozenset(
        "one only same reason case shame pity pain pleasure joke lie relief surprise pleasure mistake disaster "
        "nightmare wreck pirate billionaire unicorn genie ghost robot ai bot model alien king queen god wizard "
        "vampire zombie dragon problem guy person man woman".split()
    )
)


def _may_last(said: str, head: str) -> bool:
    """What nobody is for a day: ``a team lead``, ``the user's dentist``, not ``a bit tired``."""
    if re.match(r"[Tt]he user's \w", said):
        return head not in _NEVER_LASTS
    words = said.lower().split()
    is_noun = head not in _NEVER_LASTS and head[-2:] != "ed"
    return is_noun and words[0] in ("a", "an") and _NO_NOUN.isdisjoint(words[1:2])


def _plainly(said: str) -> str:
    """``a vegetarian`` as ``vegetarian``: one wording for what is said in two."""
    noun = said.split(" ", 1)[1]
    known = grammar().be.get(noun, ())
    return noun if any(phrase.said == (noun,) for phrase in known) else said


def _with_details(clause: Clause, said: str) -> tuple[str, tuple[Said, ...]]:
    """``a 29-year-old nurse from Dublin``: a nurse; and the age and the place as statements of their own."""
    found = []
    if old := _OF_AGE.match(said):
        found.append(clause.said("is", f"{old['age']} years old", clause.kind))
        said = f"{old['a']}{said[old.end() :]}"
    if re.match(r"an? ", said) and (place := _FROM.search(said)):
        verb = "is from" if place["how"] == "from" else "lives in"
        found.append(clause.said(verb, place["where"], clause.kind))
        said = said[: place.start()]
    if re.match(r"an? .* at [A-Z]", said) and head_of(said) in words_of.PROFESSIONS | words_of.LASTING:
        said, _, where = said.partition(" at ")
        found.append(clause.said("works at", where, clause.kind))
    return said, tuple(found)


_HOW_MUCH = frozenset("total huge big great real true little".split())
_OF_SOMETHING = frozenset("fan member owner founder expert speaker believer lover supporter reader".split())


def _is_lasting_noun(said: str, head: str) -> bool:
    is_doer = (
        bool(re.search(r"(?:er|or|ist|ian|eer|guard|coach|parent|major)$", head)) and head not in words_of.NO_BEING
    )
    if is_doer or head in words_of.LASTING:
        return head not in _OF_SOMETHING or len(set(said.lower().split()) - _HOW_MUCH) > 2
    return head in words_of.KIN | words_of.PROFESSIONS and _NO_NOUN.isdisjoint(said.lower().split()[1:2])


_FELT = re.compile(
    r"(?:really |so |very |super |too )?(?:bored|tired|stressed|excited|worried|scared|surprised|thrilled|relieved"
    r"|exhausted|shocked|amazed|inspired|pleased|embarrassed|supposed|interested|overwhelmed|swamped|touched"
    r"|honou?red|confused|depressed|disappointed|frustrated|annoyed|motivated|blessed|packed|closed|delayed) "
)


def was(clause: Clause) -> Iterator[Said]:
    """``was born in 1990``; ``was moved to Friday``."""
    found = lookup(grammar().events, clause.words, clause.at)
    if found is not None:
        yield from happened(clause, *found)
        return
    said, at = dated(clause.value(clause.at + 1), clause.setting, ahead=False)
    head = head_of(said)
    if (
        at
        and _FELT.match(said) is None
        and re.match(r"(?:[a-z]+ed|hit|sent|given|chosen|made|taken|stolen|hurt|told) ", said)
    ):
        yield clause.said(clause.low(), said, Kind("event", 2), at)
        return
    if (at and re.match(r"(?:in|at) (?:an? )?[A-Z\w]", said) and "the moment" not in said) or (
        re.match(r"(?:an?|the) ", said) and head in words_of.PROFESSIONS | words_of.LASTING
    ):
        yield clause.said(clause.low(), said, Kind("event", 2), at)
        return
    if clause.low(1) == "going" and clause.low(2) == "to" and clause.low(3) in verbs_of.LIFE:
        yield from planned(clause, clause.low(3), clause.at + 4, negated=True)
        return
    raise NotLearnt("passing state")
