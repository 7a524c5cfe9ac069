"""How something is done, step by step: numbered lines, or first, then, finally. English and Russian. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules import english_verbs
from sandbox.extensions.memory.consolidate.rules.morphology import is_russian, parses
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject, upper
from sandbox.extensions.memory.consolidate.rules.texts import small, words_in

_KIND = Kind("pattern", 3, "procedural")
_STEP = re.compile(r"^\s*(?:step\s+|шаг\s+)?\d{1,2}[.):]\s+(.+?)[\s.;]*$", re.IGNORECASE)
_GOAL = re.compile(
    r"(?:\bhow (?:to|we|i)|\bto|\bsteps (?:to|for)|\b(?:our|my|the) (?:process|procedure|steps|workflow|way) (?:for"
    r"|to|of)|\bwhen(?:ever)? (?:we|i)|\bчтобы|\bкак(?: мы)?|\bпорядок|\bшаги для)\s+(?P<goal>[^:.\n,]{3,60})",
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
_FIRSTS = ("first", "firstly", "сначала", "сперва")
_NEXT = re.compile(
    r"[,;.]?\s+(?:and\s+|и\s+|а\s+)?(?:then|next|after that|finally|lastly|потом|затем|после этого|наконец"
    r"|в конце)\b,?\s+",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:I|we|he|she|я|мы|ты|он|она|они)\b", re.IGNORECASE)
_IS_ASKED = re.compile(r"\b(?:error|please|could you|can you|ошибк|пожалуйста)\b")


def procedure(text: str, longest: int) -> Said | None:
    """The steps of a turn that tells how to do something; None for any other turn."""
    text = text.strip()
    if len(text) > 2000 or "?" in text or _IS_ASKED.search(small(text)):
        return None
    if (told := in_order(text)) and len(told.content) <= longest:
        return told
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


_GOALS = (  # how what is told is brought up, and what it is for
    re.compile(
        r"^(?:(?:note|fyi|btw|reminder|remember|so|ok|also|and)[\s:,]+)*(?:in order )?(?:to|when(?:ever)? (?:we|you"
        r"|I)|if you (?:want|need) to|before (?:we|you|I)) (?P<goal>(?!be\b"
        r"|me\b)[a-z][^:.,]{1,60}?)(?:(?P<colon>\s*:)|\s*,|(?=\s+(?:you|we|I|one)\b))\s+(?:(?:you|we|I|one"
        r"|just) )?(?P<rest>(?!(?:am|is|are|was|get)\b)[a-z\d(].+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:(?:our|my|the) |(?=\w+ing ))(?P<what>[\w -]{3,40}?)(?: (?:process|procedure|routine|workflow|steps?|flow"
        r"|recipe))? (?:is|goes"
        r"|works|are|looks)(?: (?:like this|as follows|simple))(?P<colon>\s*:)?,?\s+(?P<rest>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:our|my|the) (?P<what>[\w -]{3,30}? (?:process|procedure|routine|workflow|steps?|flow|recipe))(?: (?:is"
        r"|are))?(?P<colon>\s*:)?,?\s+(?:to |you |we )?(?P<rest>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:(?:here is|here's|this is|that is|that's) )?(?:how (?:to|we|I|you)|(?:the )?(?:steps|way"
        r"|procedure) (?:to|for|of)) (?P<goal>[a-z][^:.,]{2,60}?)(?: is to|(?P<colon>\s*:)|,)\s+(?P<rest>.+)$",
        re.IGNORECASE,
    ),
    re.compile(r"^for (?P<what>[a-z][\w -]{2,40}?),? (?:we|you|I) (?P<rest>first .+)$", re.IGNORECASE),
    re.compile(r"^(?P<lead>чтобы) (?P<goal>[^:.,]{3,60}?)(?:(?P<colon>\s*:)|,)\s+(?P<rest>[а-яё\d].+)$", re.IGNORECASE),
    re.compile(
        r"^(?:наш[аеи]? |мо[йяеё] )?(?P<what>[а-яё][^:.,]{2,50}?)(?: (?:делаем|делаю|происходит|проходит|ид[её]т"
        r"|выглядит"
        r"|устроен\w*|у нас))* (?:так|таким образом|следующим образом|по шагам|вот так)(?P<colon>\s*:)\s*(?P<rest>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:инструкция,? )?(?P<lead>как)(?: мы| я)? (?P<goal>[а-яё][^:.,]{2,60}?)(?P<colon>\s*:)\s*(?P<rest>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<rest>(?:сначала|сперва).+?)[,;.]?\s+(?:[—–-]\s+)?(?:вот )?так (?P<lead>мы|я"
        r"|у нас) (?P<goal>[а-яё].{2,60})$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<rest>(?:first|start).+?)[,;.:]\s+(?:and )?(?:that is|that's|this is|which is) how (?:we|I|you|to) "
        r"(?P<goal>[a-z].{2,60})$",
        re.IGNORECASE,
    ),
)
_THEN = re.compile(
    r"(?:\s+first)?[,;.]?\s+(?:(?:and|а|и)\s+)?(?:then|next|after that|afterwards|finally|lastly|at the end"
    r"|once that is done|after "
    r"which|потом|затем|после этого|наконец|в конце|далее)\b,?\s+(?:(?:you|we|I)\s+)?(?:(?:have|need) to )?",
    re.IGNORECASE,
)
_NO_GOAL = frozenset("start begin finish sum conclude recap repeat continue proceed summarise summarize".split())
_NUMBER = re.compile(r"(?:^|[,;.]?\s+)\(?(?:step |шаг )?(\d)[.):]\s+", re.IGNORECASE)
_MODAL = re.compile(
    r"^(?:(?:you|we|I|one|мы|я)\s+)?(?:(?:have to|need to|must|should|can|will|usually|always|just|simply|first(?:ly)?"
    r"|start by|begin by|got to|надо|нужно|сначала|сперва)[\s,]+)*(?:(?:you|we|I)\s+)?",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"(?!(?:the|an?|my|our|some|in|on|at|with|for|from|of|to|or|no|two|new|because|so|which|it"
    r"|that)\b)[a-z][\w-]*(?: (?:the|an?|it|them|your|my|our|each|every|all|two|to|up|on|off|in|out|at|with|some|for"
    r"|from|into|over|down|back|until)\b|$)",
    re.IGNORECASE,
)


def in_order(sentence: str) -> Said | None:
    """The steps of a text that tells them in order: ``To X you have to A first and then B``; ``To X: A, B, then C``;
    ``First A, then B; that's how we X``.
    """
    text = sentence.strip(" .!")
    match = next((found for pattern in _GOALS if (found := pattern.match(text))), None) if "?" not in text else None
    if match is None:
        return None
    steps = _in_a_line(match["rest"], is_listed=bool(match.groupdict().get("colon")))
    if not 1 < len(steps) < 12 or any(_PERSONAL.search(step) or len(step.split()) > 20 for step in steps[:-1]):
        return None
    if is_russian(match["rest"]):
        return _said(_russian_goal(match), steps)
    given = match.groupdict().get("what")
    goal = re.sub(r"\s+(?:first|again|here|you|we|I)$", "", (given or match["goal"]).strip())
    verb = goal.split()[0].lower()
    if not given and (verb in english_verbs.PAST | _NO_GOAL or verb.endswith("ed")):
        return None
    if verb.endswith("ing"):
        return _said(goal, steps)
    return _said(f"To {'do the ' if given else ''}{goal}", steps)


def _in_a_line(rest: str, *, is_listed: bool) -> list[str]:
    """The steps in a line: those with numbers, those with ``then`` between them, or a list of orders."""
    numbers = list(_NUMBER.finditer(rest))
    if len(numbers) > 1 and [match[1] for match in numbers] == [str(count) for count in range(1, len(numbers) + 1)]:
        return [step.strip(" ,.;") for step in _NUMBER.split(rest)[2::2]]
    parts = [_MODAL.sub("", part.strip(" ,.;")) for part in _THEN.split(rest)]
    is_listed = is_listed or bool(re.match(r"first|сначала|сперва", rest, re.I))
    steps = [step for part in parts for step in _listed(part, is_listed=is_listed or len(parts) > 1)]
    steps = [re.sub(r"\s+first$", "", step) for step in steps if step]
    orders = sum(map(_is_order, steps))
    is_told = len(parts) > 1 or (is_listed and len(steps) > 2)
    return steps if is_told and (len(parts) > 1 or orders * 2 > len(steps)) else []


def _listed(part: str, *, is_listed: bool) -> list[str]:
    """What commas part, where each of it is an order of its own."""
    pieces = [
        re.sub(r"^(?:and|then) ", "", piece) for piece in re.split(r",\s+|\s+and (?=[a-z]+ (?:the|it|them|a)\b)", part)
    ]
    return pieces if is_listed and sum(map(_is_order, pieces)) * 3 >= len(pieces) * 2 else [part]


def _is_order(step: str) -> bool:
    first = step.split(" ", 1)[0].lower()
    if is_russian(first):
        return parses(first)[0].tag.POS in ("VERB", "INFN")
    return bool(_ORDERS.match(step)) or first in english_verbs.IMPERATIVES


def _russian_goal(match: re.Match[str]) -> str:
    found = match.groupdict()
    if found.get("what"):
        return found["what"].strip()
    first, _, rest = match["goal"].strip().partition(" ")
    lead = "Чтобы" if (found.get("lead") or "").lower() == "чтобы" else "Как"
    base = parses(first.lower())[0]
    return f"{lead} {base.normal_form if base.tag.POS == 'VERB' else first} {rest}".strip()


def _said(goal: str, steps: list[str]) -> Said:
    written = " ".join(f"{number}. {upper(step)}." for number, step in enumerate(steps, 1))
    return Said(Subject(goal, goal, is_thing=True), "", kind=_KIND, wording=f"{upper(goal)}: {written}")


def _numbered(text: str) -> tuple[str, list[str]] | None:
    lines = text.splitlines()
    steps = [match[1] for line in lines if (match := _STEP.match(line))]
    intro = next((line for line in lines if line.strip()), "")
    match = (_GOAL.search(intro) or _GOAL_RU.match(intro)) if len(steps) > 1 and not _STEP.match(intro) else None
    return (_goal(match), steps) if match else None


def _ordered(text: str) -> tuple[str, list[str]] | None:
    match = None if words_in(text).isdisjoint(_FIRSTS) else _ORDER.match(text)
    goal = _GOAL.search(match["goal"]) if match else None
    return (_goal(goal), [match["first"], *_NEXT.split(match["rest"])]) if match and goal else None


def _goal(match: re.Match[str]) -> str:
    goal = re.sub(
        r"\s+(?:is|are|like this|as follows|we|I|you|надо|нужно|мы|так)$",
        "",
        (match["goal"] or match["goal2"]).strip(),
        flags=re.I,
    )
    russian = is_russian(goal)
    return f"{'Чтобы' if russian and match[0].lower().startswith('чтобы') else 'Как' if russian else 'To'} {goal}"
