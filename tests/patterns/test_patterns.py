"""Every pattern of the package takes a time that grows at most linearly with the text; each is examined as an
automaton. No pattern may have a repeat that can take the same characters in two ways: its time doubles with each of
them. No pattern may have two repeats in a row that take the same characters before something that can fail: its time
grows with the square. The place where a search begins is such a repeat too. A pattern in ``BOUNDED`` reads a limited
number of characters, so only the first law applies to it.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache

import pytest

from tests.patterns.automaton import automaton
from tests.patterns.collect import ROOT, Pattern
from tests.patterns.growth import is_exponential, is_polynomial

BOUNDED = {  # a file, or a file and the name of a pattern or its beginning
    "sandbox/secrets/values.py (?xi)": "one value, without ends of lines, before which `.*` would stop",
    "sandbox/secrets/forms.py ://": "the 500 characters before a long run",
    r"sandbox/secrets/hints.py (?<![^\W_])(?:(?:\d{1,2}[.):]?": "twelve words in a row are found, and fewer are few",
    "sandbox/extensions/memory/lexicon.py (?:^(?:always )?be": "wishes of at most 120 characters",
    "sandbox/extensions/memory/text/period.py _ANCHORED": "the first 600 characters of a question",
    "sandbox/extensions/memory/text/sightings.py _BEFORE": "the 40 characters before a name",
}


@cache
def patterns() -> dict[str, list[Pattern]]:
    """The patterns by file. Another process collects them, in which none was compiled before."""
    found = subprocess.run(
        [sys.executable, "-m", f"{__package__}.collect"], cwd=ROOT.parent, capture_output=True, check=True, timeout=120
    )
    by_file = defaultdict(list)
    for each in json.loads(found.stdout):
        pattern = Pattern(*each)
        by_file[pattern.file].append(pattern)
    return by_file


def laws_broken(pattern: Pattern) -> list[str]:
    """The laws that a pattern breaks, given its uses."""
    made = []
    if "fullmatch" in pattern.methods:
        made.append(automaton(pattern.pattern, pattern.flags, is_whole=True, is_anywhere=False))
    if not pattern.methods or {"fullmatch"} < {*pattern.methods, "fullmatch"}:
        anywhere = not pattern.methods or not {"match", "fullmatch"}.issuperset(pattern.methods)
        made.append(automaton(pattern.pattern, pattern.flags, is_anywhere=anywhere))
    broken = ["doubles with each character"] if any(map(is_exponential, made)) else []
    where = f"{pattern.file} {pattern.name or pattern.pattern}".replace("\0", "")
    is_bounded = any(where.startswith(each) for each in BOUNDED)
    if not is_bounded and any(map(is_polynomial, made)):
        broken.append("grows with the square")
    return broken


def test_no_pattern_takes_more_than_linear_time() -> None:
    broken = [
        f"{pattern.file}:{pattern.line} {problem}: {pattern.pattern[:80]}"
        for found in patterns().values()
        for pattern in found
        for problem in laws_broken(pattern)
    ]
    assert broken == []


def test_no_group_is_possessive() -> None:
    """Up to 3.11.4, Python handles them wrongly: after *+ behind a group, a version takes the comma too."""
    possessive = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+")
    found = [
        f"{each.file}:{each.line}" for some in patterns().values() for each in some if possessive.search(each.pattern)
    ]
    assert found == []


def test_every_pattern_is_found() -> None:
    """Also those that are compiled at their first use."""
    found = patterns()
    assert sum(map(len, found.values())) > 350
    for file in ("secrets/values.py", "secrets/forms.py", "extensions/memory/text/period.py", "support/characters.py"):
        assert f"sandbox/{file}" in found


@pytest.mark.parametrize(
    ("pattern", "is_slow"),
    [
        (r"\s+(?:[A-Z][\w&'-]*\s?)+$", True),
        (r"\s+(?:[A-Z][\w&'-]*\s)+$", False),
        (r"(?:a|aa)+$", True),
        (r"(?:a|aa)+", False),  # found as soon as it stops
        (r"(?:x*)*y", True),
        (r"(?:\s+[A-Z][\w-]+: [^\n]+)*!", True),
        (r"(?:\n[A-Z][\w-]+: [^\n]+)*!", False),
        (r"(?:(?:so|well|so well)[ ,]+)*x", True),
        (r"(?:(?:so|well)[ ,]+)*x", False),
        (r"(?:for \w+[ ,]*|also[ ,]*)+$", True),
        (r"(?:for \w+\b[ ,]*|also\b[ ,]*)+$", False),
        (r"(?:\w{1,20} ){1,20}$", False),
        (r"(?:(?=a)a|[ab])*c", True),
    ],
)
def test_exponential_patterns_are_detected(pattern: str, is_slow: bool) -> None:
    assert is_exponential(automaton(pattern, 0)) == is_slow


@pytest.mark.parametrize(
    ("pattern", "is_slow"),
    [
        (r"\w*\d\w*", True),
        (r"\w+", False),
        (r"\w+@", True),
        (r"\b\w+@", False),
        (r"(?<!\w)\w+@", False),
        (r"[A-Z](?<!\w.)\w*@", False),  # looks at what is before it from behind its first letter
        (r"\s+$", True),
        (r"^\s+$", False),
        (r"^\s*,?\s*x", True),
        (r"^\s*+,?\s*+x", False),
        (r"^(?:\s*,)?\s*x", False),
        ('"[^"]*"', False),
        (r"<b>.*?</b>", True),
        (r"(?s)<b>.*?(?:</b>|\Z)", False),
        (r"^.{1,80}: \w", False),
        (r"^.{1,800}:.* \w", True),
        (r"x(?=.*y)", True),
    ],
)
def test_quadratic_patterns_are_detected(pattern: str, is_slow: bool) -> None:
    assert is_polynomial(automaton(pattern, 0)) == is_slow
