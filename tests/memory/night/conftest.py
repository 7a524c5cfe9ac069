"""A model that answers the night's questions by rules, so that the answers do not depend on the order of questions."""

import re
from collections.abc import Callable
from typing import Any

from sandbox.extensions.memory.testing import ScriptedLanguageModel

_PAIR = re.compile(r"^Pair (\d+)\n- known, \S+?(?: until \S+?)?(?:, about .*?)?: (.*)\n- new, .*?: (.*)$", re.MULTILINE)
_TURNS = re.compile(r"^Pair (\d+)\nfirst: (.*)\nsecond: (.*)$", re.MULTILINE)

Judgement = Callable[[str, str], str]


def different(_known: str, _new: str) -> str:
    """Every pair of statements is different."""
    return "different"


def answering(judge: Judgement = different, insights: tuple[str, ...] = ()) -> ScriptedLanguageModel:
    """Judges pairs of statements by a function of (known, new); sums up by the first fact; finds a cause if the second
    turn says "that's why".
    """
    answers: dict[str, Callable[[str], Any]] = {
        "judge": lambda user: _judged(user, judge),
        "entity_summary": _summed_up,
        "causes": _caused,
        "insights": lambda _: {"insights": [{"summary": each, "tags": ["mood"]} for each in insights]},
        "extract": lambda _: {"items": [], "summary": ""},
    }
    return ScriptedLanguageModel(otherwise=lambda question: answers[question.name](question.user))


def _judged(user: str, judge: Judgement) -> Any:
    return {
        "verdicts": [
            {"pair": int(number), "reason": "", "one_value": True, "verdict": judge(known, new), "sure": True}
            for number, known, new in _PAIR.findall(user)
        ]
    }


def _summed_up(user: str) -> Any:
    name = user.splitlines()[1].split(" (")[0]
    first = next(line for line in user.splitlines() if line.startswith("- "))
    return {"summary": f"{name} is known for this: {first[2:]}"}


def _caused(user: str) -> Any:
    return {
        "verdicts": [
            {"pair": int(number), "cause": "first" if "that's why" in second.lower() else "none"}
            for number, _, second in _TURNS.findall(user)
        ]
    }
