"""Read a clause without its denial: what *I have asthma* claims is what *I do not have asthma* denies."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from sandbox.extensions.memory.claims import predicate
from sandbox.extensions.memory.parse.language import Frame, Language
from sandbox.extensions.memory.parse.statements import Statement, rebuilt, report
from sandbox.extensions.memory.parse.subjects import Spoken
from sandbox.extensions.memory.parse.tokens import Token, forms, token, tokens
from sandbox.extensions.memory.text.words import terms

_NAMING = frozenset("articles naming self me my".split())  # classes of words that say nothing more
_INTENDED = ("fact", "plan")  # modalities


def deniable(frames: Sequence[Frame]) -> list[Frame]:
    """The frames whose claims a denial may take back. A wish ends by being revoked."""
    intended = (each for each in frames if each.is_affirmed and each.modality in _INTENDED)
    return [each for each in intended if predicate(each.predicate).category != "instruction"]


class Denial(NamedTuple):
    """The words of a clause as if what it denies were so, those behind its *not*, whether it says that this is over,
    and whether what it denies is in the genitive: «у меня нет астмы».
    """

    claiming: list[Token]
    behind: list[Token]
    is_over: bool
    is_genitive: bool


def denials(said: Sequence[Token], clause: Sequence[Token], language: Language) -> Iterator[Denial]:
    """What is ``said`` in a clause that denies it, in place of *no* perhaps with an article; nothing if it denies
    nothing, or two things.
    """
    places = [at for at in range(len(said)) if _denies(said, at)]
    if len(places) != 1 or not all(each.is_word for each in said[: places[0]]):  # *allergic to nuts, so no cake*
        return
    (place,) = places
    dropped = set(_with_not(said, place)) | {at for at in range(len(said)) if _ends(said, at)}
    # behind *does* a verb has no ending
    kept = [(at, each._replace(classes=each.classes - {"bare"})) for at, each in enumerate(said) if at not in dropped]
    apart = {said[at].start for at in dropped}
    behind = [each for each in clause if each.start > said[place].start and each.start not in apart]
    is_over = any("over" in said[at].classes for at in dropped)
    is_genitive = "genitive" in said[place].classes
    yield Denial([each for _, each in kept], behind, is_over, is_genitive)
    if "no_word" in said[place].classes:
        for word in language.articles_for_no:
            article = token(word, word, said[place].end, said[place].end, language)  # nowhere in the text
            claiming = [*(each for at, each in kept if at < place), article, *(each for at, each in kept if at > place)]
            yield Denial(claiming, behind, is_over, is_genitive)


def denied(claimed: Statement, denial: Denial, spoken: Spoken) -> Statement | None:
    """The denial of the statement that a clause makes if its *not* is left out; None if the clause says more behind
    that: *I don't take insulin by mouth*. It is believed if it says that something is over, or tells of what stays so,
    as of an allergy, in the language's wording, or of a plan's time; otherwise it only ends what it denies.
    """
    frame, language = claimed.frame, spoken.language
    if denial.is_genitive and "v" in claimed.values and frame is not None:
        base = language.forms.base(claimed.values["v"], "gen")
        claimed = rebuilt(claimed, {**claimed.values, "v": base}, language) or claimed
    if frame is None or any(each.claims[0].predicate != frame.predicate for each in claimed.also):
        return None
    kind, told = predicate(frame.predicate), (claimed, *claimed.also)
    if "old" in claimed.values:  # *Jenkins was not replaced by GitLab*: it is still used
        return None
    if kind.opposite and not denial.is_over:  # a taste that is denied is the opposite one
        return None
    # *not moving in May but in June*; the time of an appointment is a change (changes.py)
    is_plan = frame.modality == "plan" and bool(claimed.times) and kind.lasts != "date"
    if claimed.times and kind.value != "date" and not is_plan:  # *I don't work on Fridays*
        return None
    told_of = _forms(tokens(" ".join(each.content for each in told), language))
    told_of = told_of.union(*frame.needs)  # *a peanut allergy*, which is told as *allergic to peanut*
    naming = _NAMING | {"kin"} if kind.value == "person" else _NAMING
    words = (each for each in denial.behind if each.is_word and terms(each.lower) and each.classes.isdisjoint(naming))
    if any(told_of.isdisjoint(forms([each])) for each in words):
        return None
    denying = replace(claimed, frame=replace(frame, is_affirmed=False), also=())
    is_believed = denial.is_over or (kind.many and kind.core == "user" and kind.lasts == "always")
    is_worded = is_believed and frame.modality == "fact" and "kin" not in claimed.values
    if is_worded and (worded := rebuilt(denying, claimed.values, language)):
        return worded
    claims = tuple(replace(claim, is_affirmed=False) for each in told for claim in each.claims)
    content = report(spoken.text, spoken.people.speaker, language).content
    until = None if denial.is_over or is_plan else spoken.at
    return replace(denying, content=content, claims=claims, told=None, until=until)


def _forms(said: Sequence[Token]) -> set[str]:
    return {each for each in forms(said) if not each.startswith("/")}  # no marks


def _denies(said: Sequence[Token], at: int) -> bool:
    behind = said[at + 1].classes if at + 1 < len(said) else frozenset[str]()
    if "no_word" in said[at].classes:  # *no longer*, *kein*
        return "over" in behind or "denied" in said[at].classes
    return "not" in said[at].classes and "merely" not in behind  # *not only in Rome*


def _with_not(said: Sequence[Token], at: int) -> Iterator[int]:
    """The places of a word such as *not* and of what belongs to it: *do not*, *no longer*, «больше не»."""
    yield at
    if at and not {"supports", "over"}.isdisjoint(said[at - 1].classes):
        yield at - 1
    if at + 1 < len(said) and "over" in said[at + 1].classes:
        yield at + 1


def _ends(said: Sequence[Token], at: int) -> bool:
    """Whether a word begins the end of a sentence that says that something is over: *anymore*, *any more*."""
    *before, last = [each.classes for each in said[at:] if each.is_word] or [frozenset[str]()]
    return "over" in last and (not before or (len(before) == 1 and "any" in before[0]))
