"""A claim as a sentence, in the words of its language."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from sandbox.extensions.memory.parse.language import Language, as_case
from sandbox.extensions.memory.parse.subjects import Subject
from sandbox.extensions.memory.parse.times import Moment, Role

_UNSAID = "\x00"
_SEASON = re.compile(r"\bs(\d)")
_YEAR = re.compile(r"\bY\d|\b[DE]\d{4}")
_SLOT = re.compile(r"\{(\w+)(?::(\w+)|('s))?\}")


def worded(template: str, subject: Subject, values: dict[str, str], times: Sequence[Moment], language: Language) -> str:
    """The sentence of a template, None if a word is missing. Times without a place in the template come at its end."""
    when = "".join(f" {written(moment, language)}" for moment in times)

    def fill(match: re.Match[str]) -> str:
        name: str = match[1]
        is_possessive = match[3] is not None
        if name == "when":
            return when
        if name in ("since", "until"):
            role: Role = "since" if name == "since" else "until"
            bound = (replace(each, role=role) if each.role == "at" else each for each in times)
            return "".join(f" {written(each, language)}" for each in bound)
        if name == "day":
            return yearly(times[0], language) if times else ""
        if name == "s":
            return f"{subject.label}'s" if is_possessive else subject.in_case(as_case(match[2]) or "nom", language)
        if (said := values.get(f"{name}:{match[2]}")) is not None:
            return said  # it is in that case already
        value = values.get(name, "")
        if match[2] == "third":
            return language.forms.third(f"{value[:1].lower()}{value[1:]}") or _UNSAID
        return language.forms.inflect(value, case) if (case := as_case(match[2])) else value

    text = _SLOT.sub(fill, template)
    text = re.sub(r" \.$", ".", " ".join(text.split()))
    if when and not {"{when}", "{since}", "{until}", "{day}"} & {match[0] for match in _SLOT.finditer(template)}:
        text = f"{text.rstrip('.')}{when}."
    if _UNSAID in text:
        return ""
    text = " ".join(language.forms.tidy(text).split())
    if subject.is_plural:
        text = language.forms.of_several(text, subject.label)
    return f"{text[:1].upper()}{text[1:]}"


def yearly(moment: Moment, language: Language) -> str:
    """A day of every year."""
    first, months = moment.span[0], language.times["months"].split()
    unit = "day" if (moment.span[1] - first).days <= 1 else "month"
    unit = "dated" if unit == "day" and _YEAR.search(moment.symbols) else unit
    pattern: str = language.times["yearly"][unit]
    return pattern.format(day=first.day, month=months[first.month - 1], year=first.year)


def written(moment: Moment, language: Language) -> str:
    """A time in the words of a language."""
    words = language.times
    first, days = moment.span[0], (moment.span[1] - moment.span[0]).days
    unit = "day" if days <= 1 else "week" if days <= 7 else "month" if days <= 100 else "year"
    if unit == "week":
        first += timedelta(days // 2)
    listed, number = "months", first.month
    if unit == "month" and (season := _SEASON.search(moment.symbols)):
        listed, number = "seasons", int(season[1])
        unit = "season" if "season" in words[moment.role] else unit
    is_within = unit in ("month", "season") and moment.role == "at"
    names: str = words.get(f"{listed}_within", words[listed]) if is_within else words[listed]
    pattern: str = words[moment.role][unit]
    text = pattern.format(day=first.day, month=names.split()[number - 1], year=first.year)
    return f"{text} {words['clock'].format(moment.clock)}" if moment.clock and unit == "day" else text
