"""What is meant to happen: plans with a day, intentions, goals; and plans that are given up. English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import cancelling
from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import PLAN, TASTE, TELLING, Clause
from sandbox.extensions.memory.consolidate.rules.dates import without, without_names
from sandbox.extensions.memory.consolidate.rules.holding import checked_taste
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import agreeing, base_of, grammar, third


def planned_to(clause: Clause, negated: bool) -> Iterator[Said]:
    """``going to move to Leeds in May``, ``planning to``; ``going to Porto next week``."""
    index = clause.at + 1
    if index + 1 >= len(clause.words):
        raise NotLearnt("passing state")
    if clause.words[index].low in ("to", "on", "for"):
        verb = clause.words[index + 1].low
        if (
            clause.words[index].low == "to"
            and clause.words[index + 1].text.islower()
            and verb not in ("the", "a", "an", "my", "our")
            and (
                verb in verbs_of.LIFE
                or (clause.low() == "planning" and verb in _MEANT and _is_told(clause.value(index + 2)))
                or (
                    clause.lies_ahead
                    and verb
                    not in verbs_of.NO_HABIT
                    | words_of.TASKS
                    | {"try", "see", "go", "check", "fix", "use", "add", "finish"}
                )
            )
        ):
            yield from planned(clause, verb, index + 2, negated=negated, firm=clause.low() == "planning")
        elif clause.low() == "going" and (
            clause.words[index + 1].text[0].isupper() or verb in ("a", "the", "my", "vacation", "holiday")
        ):
            yield from planned(clause, f"go {clause.words[index].low}", index + 1, negated=negated)
        elif clause.low() == "planning" and clause.words[index].low == "on" and verb.endswith("ing"):
            yield from planned(clause, f"on {verb}", index + 2, negated=negated, progressive=True)
        else:
            raise NotLearnt("passing state")
        return
    if clause.low() == "planning" and clause.words[index].low in ("a", "an", "my", "our"):
        said, at = dated(clause.value(index), clause.setting, ahead=True)
        if clause.setting.to_assistant and not (at or _is_particular("", said)):
            raise NotLearnt("passing state")
        yield clause.said("is planning", said, PLAN, at)
        return
    raise NotLearnt("passing state")


def _is_particular(verb: str, said: str) -> bool:
    """Whether a plan without a day has some weight, or says with whom, where or what: an assistant hears of many."""
    return bool(_OF_NAME.search(said) or _OF_LIFE.search(said)) or base_of(verb) in _OF_YEARS


_OF_YEARS = frozenset("start open launch learn study enroll apply quit sell run climb publish release retire".split())
_OF_NAME = re.compile(r"\b[A-Z]|(?<!\bthe user)'s ")
_OF_LIFE = re.compile(
    r"\b(?:wedding|move|honeymoon|house|renovation|career|business|funeral|surgery|retirement|baby)\b"
)


_MEANT = frozenset("do try spend stay cycle drive rent celebrate sign enrol".split())


def _is_told(said: str) -> bool:
    """Whether it is a plan of a life, and no piece of work."""
    work = words_of.TASKS | words_of.SYSTEMS | {"refactor", "review", "rewrite", "cleanup"}
    return bool(TELLING.search(said)) and work.isdisjoint(said.lower().split())


def planned(
    clause: Clause, verb: str, index: int, *, negated: bool = False, firm: bool = False, progressive: bool = False
) -> Iterator[Said]:
    """A plan: with a day, or expressly one."""
    said, at = dated(re.split(r",? (?:instead of|rather than) ", clause.value(index))[0], clause.setting, ahead=True)
    if at and clause.low() == "decided" and at.date() < clause.setting.at.date():
        said, at = without(said), None  # when it was decided
    if base_of(verb) in _OF_SOMETHING and re.match(r"(?:in|on|at|around|for|with|by|from|soon)\b", said):
        raise NotLearnt("not self-contained")
    if clause.setting.to_assistant and re.match(r"go for an? \w+\b(?! (?:in|to) [A-Z])", f"{verb} {said}"):
        raise NotLearnt("passing state")
    if verb == "get" and not re.match(r"(?:married|divorced|engaged|an?|[\w ]+'s) ", f"{said} "):
        raise NotLearnt("passing state")
    is_other = clause.setting.to_assistant and _OTHER.search(clause.text) is not None
    if not said or not (
        (negated and clause.setting.to_assistant)
        or at
        or is_other
        or (firm and (_is_particular(verb, said) if clause.setting.to_assistant else TELLING.search(said)))
        or re.match(r"(?:move|retire|marry|become|adopt)$", verb)
    ):
        raise NotLearnt("passing state")
    base = base_of(verb.removeprefix("not ").removeprefix("on ")) if progressive else verb
    if negated or verb.startswith("not "):
        before = Replaced("change", statement=clause.said(f"plans to {base}", said, PLAN).content)
        ends = tuple(cancelling.ended_by_verb(f"{base} {without(said).strip()}"))
        yield replace(clause.said(f"no longer plans to {base}", said, PLAN, at), replaces=(before, *ends))
    else:
        instead = _instead(clause, f"plans to {base} {said}") if is_other else ()
        yield replace(clause.said(f"plans to {base}", said, PLAN, at), replaces=instead)


_OF_SOMETHING = frozenset("visit attend host buy sell adopt build record present".split())
_OTHER = re.compile(r"\b(?:instead|rather|after all)\b")


def _instead(clause: Clause, plan: str) -> tuple[Replaced, ...]:
    """The one plan that is the same but for a name, or when."""
    same = without_names(without(plan).strip(" ."))
    return (Replaced("change", statement=clause.about.name, verbs=(same,)),) if len(same.split()) > 2 else ()


def given_up(clause: Clause) -> Iterator[Said]:
    """``no longer running the Berlin marathon``."""
    said, at = dated(clause.value(clause.at + 1), clause.setting, ahead=True)
    base = base_of(clause.low())
    if not TELLING.search(said) and len(said.split()) < 2:
        raise NotLearnt("passing state")
    planned_, does = (clause.said(f"{how} {said}", "", PLAN) for how in (f"plans to {base}", third(base)))
    yield replace(
        clause.said(f"no longer plans to {base}", said, PLAN, at),
        replaces=(
            *(Replaced("change", statement=each.content) for each in (planned_, does)),
            *cancelling.ended_by_verb(f"{base} {without(said).strip()}"),
        ),
    )


def intends(clause: Clause) -> Iterator[Said]:
    """``plan to``, ``want to become``, ``intend to``, ``decided to``."""
    verb = clause.low()
    if verb == "decided" and (clause.low(1), clause.low(2)) in (("not", "to"), ("against", "to")):
        yield from planned(clause, clause.low(3), clause.at + 4, negated=True)
        return
    if clause.low(1) != "to":
        if verb in ("want", "wants") and clause.habit and clause.setting.to_assistant:
            yield clause.said(f"{clause.habit} wants", checked_taste(clause.value(clause.at + 1)), TASTE)
            return
        if verb in ("plan", "plans") and clause.low(1) == "on" and clause.low(2).endswith("ing"):
            yield from planned(clause, f"on {clause.low(2)}", clause.at + 3, firm=True, progressive=True)
            return
        raise NotLearnt("passing state")
    goal = clause.low(2)
    if goal not in verbs_of.LIFE | verbs_of.GOALS:
        raise NotLearnt("passing state")
    if verb.startswith(("want", "hop", "aim", "determined")):
        said, at = dated(clause.value(clause.at + 3), clause.setting, ahead=True)
        if clause.setting.to_assistant and re.match(r"(?:some|more|with)\b", said):
            raise NotLearnt("passing state")
        if not clause.setting.to_assistant and goal in verbs_of.GOALS and len(said.split()) > 1:
            pass
        elif (
            goal not in _DREAMT or not said or not (words_of.TASKS | words_of.SYSTEMS).isdisjoint(said.lower().split())
        ):
            raise NotLearnt("passing state")
        yield clause.said(f"{'wants' if verb.startswith('want') else 'hopes'} to {goal}", said, Kind("fact", 3), at)
        return
    yield from planned(clause, goal, clause.at + 3, firm=True)


def will(clause: Clause) -> Iterator[Said]:
    """``will move to Leeds in May``."""
    negated = clause.low(1) == "not"
    clause = clause.ahead(2 if negated else 1).without_adverbs()
    if clause.low() == "be" and clause.low(1) in verbs_of.AHEAD:
        yield from planned(clause, clause.low(1), clause.at + 2, negated=negated, progressive=True)
    elif clause.low() in verbs_of.LIFE or (
        clause.low() == "be" and clause.low(1) in ("in", "at") and clause.lies_ahead
    ):
        yield from planned(clause, clause.low(), clause.at + 1, negated=negated)
    else:
        raise NotLearnt("passing state")


_DREAMT = frozenset(
    "help inspire improve support teach raise create build become learn visit move travel retire "
    "adopt open publish start study climb buy".split()
)


def is_scheduled(clause: Clause) -> bool:
    """Whether what is to be is told as what is: ``starts school in September``."""
    base = clause.low() if clause.about.is_self or clause.about.plural else grammar().base.get(clause.low(), "")
    base = base or clause.low().removesuffix("s").removesuffix("e" if clause.low().endswith("ishes") else "")
    return base in verbs_of.SCHEDULED and not clause.ended and not clause.habit and clause.lies_ahead


def scheduled(clause: Clause) -> Said:
    """That it is to be, and when."""
    said, at = dated(clause.value(clause.at + 1), clause.setting, ahead=True)
    verb = agreeing(clause.about, clause.low()) if clause.about.is_self else clause.low()
    return clause.said(verb, said, PLAN, at)
