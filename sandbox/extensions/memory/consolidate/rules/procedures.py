"""How something is done, step by step: numbered lines, or first, then, finally. English and Russian. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules.sentences import said
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

_KIND = Kind("pattern", 3, "procedural")
_STEP = re.compile(r"^\s*(?:step\s+|шаг\s+)?\d{1,2}[.):]\s+(.+?)[\s.;]*$", re.IGNORECASE)
_GOAL = re.compile(
    r"(?:\bhow (?:to|we|i)|\bto|\bsteps (?:to|for)|\b(?:our|my|the) (?:process|procedure|steps|workflow"
    r"|way) (?:for|to|of)|\bwhen(?:ever)? (?:we|i)"
    r"|\bчтобы|\bкак(?: мы)?|\bпорядок|\bшаги для)\s+(?P<goal>[^:.\n,]{3,60})",
    re.IGNORECASE,
)
_GOAL_RU = re.compile(
    r"\s*(?:(?:у нас|мы|я)\s+(?P<goal>[а-яё][^:.\n,]{2,50}?)\s+(?:вот )?(?:так|таким образом|следующим образом|по шагам"
    r"|в таком порядке)|(?:инструкция|порядок действий|шаги|процедура|алгоритм)(?: по| для)? "
    r"(?P<goal2>[^:.\n,]{3,50}))\s*:?",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?P<goal>.{3,80}?)[,:]?\s+\b(?:first(?:ly)?|сначала|сперва)\b,?\s+(?P<first>.+?)[,;.]\s+(?:and\s+"
    r"|а\s+)?(?:then|next|after that|потом|затем|после этого)\b,?\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_NEXT = re.compile(
    r"[,;.]?\s+(?:and\s+|и\s+|а\s+)?(?:then|next|after that|finally|lastly|потом|затем|после этого|наконец"
    r"|в конце)\b,?\s+",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:I|we|he|she|я|мы|ты|он|она|они)\b", re.IGNORECASE)
_IS_ASKED = re.compile(r"[?]|\b(?:error|please|could you|can you|ошибк|пожалуйста)\b", re.IGNORECASE)


def procedure(text: str, longest: int) -> Said | None:
    """The steps of a turn that tells how to do something; None for any other turn."""
    text = said(text).strip()
    if len(text) > 2000 or _IS_ASKED.search(text):
        return None
    goal, steps = _numbered(text) or _ordered(text) or ("", [])
    steps = [step for step in (re.sub(r"^(?:you |we |I )", "", step).strip(" .,;") for step in steps) if step]
    if (
        len(steps) < 2
        or not goal
        or any(_PERSONAL.search(step) for step in steps)
        or any(len(step.split()) > 20 for step in steps)
    ):
        return None
    told = _said(goal, steps)
    return told if len(told.content) <= longest else None


_RUNNING = re.compile(
    r"^(?:(?:note|fyi|btw|reminder|remember|so|ok|also|and)[\s:,]+)*(?:in order )?(?:to|when(?:ever)? (?:we"
    r"|you|I)|if you (?:want|need) to"
    r"|before (?:we|you|I)) (?P<goal>(?!be\b|me\b)[a-z][^:.,]{3,60}?)(?:\s*[:,]\s*(?:(?:you|we|I|one|just) "
    r")?|\s+(?:you|we|I|one)\s+)"
    r"(?:(?:have to|need to|must|should|can|will|usually|always|just|simply|first(?:ly)?|start by|begin by"
    r"|got to)[\s,]+)*"
    r"(?P<rest>(?!(?:am|is|are|was|use|get)\b)[a-z].+)$",
    re.IGNORECASE,
)
_PROCESS = re.compile(
    r"^(?:our|my|the) (?P<goal>[\w -]{3,30}?) (?:process|procedure|routine|workflow|steps?|flow)(?: (?:is"
    r"|goes|works|are)(?: like this"
    r"| as follows| simple)?)?\s*[:,]?\s+(?:first(?:ly)?,? |to |you |we )*(?P<rest>.+)$",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"(?:\s+first)?[,;]?\s+(?:and\s+)?(?:then|next|after that|afterwards|finally|lastly|at the end|once that "
    r"is done)\b,?\s+"
    r"(?:(?:you|we|I)\s+)?(?:(?:have|need) to )?",
    re.IGNORECASE,
)


def in_order(sentence: str) -> Said | None:
    """The steps of a sentence that tells them one after the other: ``To X you have to A first and then B``."""
    match = _RUNNING.match(sentence.strip(" .!")) or _PROCESS.match(sentence.strip(" .!"))
    if match is None or "?" in sentence:
        return None
    steps = [step for part in _SPLIT.split(match["rest"]) if (step := re.sub(r"\s+first$", "", part.strip(" ,.;")))]
    if len(steps) > 1:
        steps = [step for part in steps for step in re.split(r",\s+(?=[a-z]+ (?:the|a|an|it|to)\b)", part)]
    goal = re.sub(r"\s+(?:first|again|here)$", "", match["goal"].strip())
    if len(steps) < 2 or any(_PERSONAL.search(step) or not 1 < len(step.split()) < 21 for step in steps[:-1]):
        return None
    return _said(f"To {'do the ' if match.re is _PROCESS else ''}{goal}", steps)


def _said(goal: str, steps: list[str]) -> Said:
    written = " ".join(f"{number}. {step[:1].upper()}{step[1:]}." for number, step in enumerate(steps, 1))
    return Said(Subject(goal, goal, is_thing=True), "", kind=_KIND, wording=f"{goal[:1].upper()}{goal[1:]}: {written}")


def _numbered(text: str) -> tuple[str, list[str]] | None:
    lines = text.splitlines()
    steps = [match[1] for line in lines if (match := _STEP.match(line))]
    intro = next((line for line in lines if line.strip()), "")
    match = (_GOAL.search(intro) or _GOAL_RU.match(intro)) if len(steps) > 1 and not _STEP.match(intro) else None
    return (_goal(match), steps) if match else None


def _ordered(text: str) -> tuple[str, list[str]] | None:
    match = _ORDER.match(text)
    goal = _GOAL.search(match["goal"]) if match else None
    return (_goal(goal), [match["first"], *_NEXT.split(match["rest"])]) if match and goal else None


def _goal(match: re.Match[str]) -> str:
    goal = re.sub(
        r"\s+(?:is|are|like this|as follows|we|I|you|надо|нужно|мы|так)$",
        "",
        (match["goal"] or match["goal2"]).strip(),
        flags=re.I,
    )
    russian = bool(re.search("[а-яё]", goal, re.IGNORECASE))
    return f"{'Чтобы' if russian and match[0].lower().startswith('чтобы') else 'Как' if russian else 'To'} {goal}"
