"""A Russian sentence taken apart into clauses that can stand alone: each has the subject of the one before. Pure."""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import lemma, parses, verb
from sandbox.extensions.memory.consolidate.rules.russian_spoken import supplied

_JOINT = re.compile(
    r"(\s*[,;:]?\s+(?:а теперь|а сейчас|и теперь|так что|а|но|и|зато|поэтому|потом)\s+|\s*[;.]\s+|\s*,\s+"
    r"|:\s+(?=теперь\b)|\s+[—–-]\s+(?=(?:я|мы|у меня|мне|меня)\b))",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?:(?:теперь |сейчас |уже )?(?:я|мы|он|она|ему|ей|у него|у неё|до этого|у меня|у нас|мне|меня|нас"
    r"|мо[йяеёи]|мою|моего|моей|(?:все|друзья|коллеги|дома|мы|домашние)(?: его| её| ее)? (?:зовут|зов[её]м|называ\w+)"
    r"|наш[аеиу]?|нашего|нашу|(?:родн|любим)(?:ой|ый|ая|ое) \w+)\b|на [«\"']?(?:ты|вы)\b)",
    re.IGNORECASE,
)
_RUNS_ON = re.compile(
    rf"(?:{'|'.join(sorted(words_of.SYSTEMS))}) (?:на|в|через|под|[—–-]) "
    rf"|(?:{'|'.join(sorted(words_of.CONTACTS))})\s*[—–:-]?\s*(?=\S*[@\d./]\S)",
    re.IGNORECASE,
)
_BEFORE_VERBS = frozenset(
    "не больше уже теперь сейчас также тоже ещё еще никогда потом давно недавно вчера всегда".split()
)
_SUBJECT = re.compile(r"^(?:(?:а|и|но|да|ещё|еще|теперь)\s+)*(?P<who>я|мы|он|она)\b", re.IGNORECASE)


def clauses(sentence: str) -> Iterator[str]:
    """``Мы не используем Jenkins, перешли на Actions``: two clauses, of which the second begins with ``мы``."""
    parts = _JOINT.split(sentence)
    current = parts[0]
    for joint, part in zip(parts[1::2], parts[2::2], strict=True):
        whole = supplied(part) if _is_of_self(current) else part
        if _can_stand(part) or whole != part:
            yield current
            current = _with_subject(whole, current)
        else:
            current = f"{current}{joint}{part}"
    yield current


_ANNOUNCED = re.compile(r"^(?P<lead>[а-яё-]+(?: [а-яё-]+)?):\s+(?=\w+ \w)", re.IGNORECASE)


def without_lead(sentence: str) -> str:
    """``Выдохнула: экзамен перенесли``: without how it is told, which is no noun and no verb that lists what it has."""
    lead = _ANNOUNCED.match(sentence)
    tags = [parses(word)[0] for word in lead["lead"].lower().split()] if lead else []
    lists = words_of.STATES.keys() | words_of.EVENTS.keys()
    if lead is None or any(each.tag.POS in ("NOUN", None) or each.normal_form in lists for each in tags):
        return sentence
    return sentence[lead.end() :]


def without_others(text: str) -> str:
    """Without a further clause in which others do something: ``не покупаю машину, каршеринга хватает``."""
    first, *rest = text.split(", ")
    for index, part in enumerate(rest):
        tags = [parses(word.lower())[0].tag for word in re.findall(r"[\w-]+", part)]
        if any(tag.POS == "VERB" and tag.person == "3per" and tag.tense == "pres" for tag in tags[1:]):
            return ", ".join((first, *rest[:index]))
    return text


def _can_stand(part: str) -> bool:
    """Whether a clause begins here: with its subject, or a verb in a person."""
    if part.lower().startswith("чем ") or _is_apposition(part):
        return False
    if _BEGINS.match(part) or re.match(r"(?:[а-яё-]+ ){1,3}(?:я|мы)\b", part, re.IGNORECASE):
        return True
    if _RUNS_ON.match(part) or _names_who(part) or _CALLED.match(part) or done_by(part) != part:
        return True
    words = re.findall(r"[\w-]+", part.lower())
    if any(_is_own(word) for word in words[1:3]):
        return True
    ahead = [word for word in words if word not in _BEFORE_VERBS][:1]
    if len(words) < 2:
        return bool(ahead) and _is_own(ahead[0])
    return bool(ahead) and (_is_finite(ahead[0]) or (len(words) > 1 and _is_kin(ahead[0])))


_SELF = re.compile(r"\b(?:я|мы|мне|нам|меня|нас|мо[йяё]|мои)\b", re.IGNORECASE)


def _is_of_self(clause: str) -> bool:
    words = re.findall(r"[а-яё-]+", clause.lower())
    found = [each for each in map(verb, words) if each is not None]
    if _SELF.search(clause) or any(each.tag.person == "1per" for each in found) or supplied(clause) != clause:
        return True
    return bool(found) and found[0].tag.tense == "past" and found[0].tag.number == "sing" and found[0].word == words[0]


_CALLED = re.compile(r"[а-яё]+ (?:у (?:меня|нас) )?зовут [А-ЯЁ]")
_DONE_BY = re.compile(
    r"^(?:теперь |сейчас )?(?P<what>(?:(?:за|в|на|по|с) )?[а-яё-]+(?: [а-яё-]+){0,2}?) (?:теперь |сейчас |уже |у нас )*"
    r"(?P<verb>[а-яё]+(?:ет|ёт|ит)(?:ся)?) (?:теперь |у нас )?(?P<who>[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)?)$",
    re.IGNORECASE,
)


def done_by(clause: str) -> str:
    """``Акты принимает Оксана``: Оксана принимает акты; the same where no name comes last."""
    match = _DONE_BY.match(clause)
    found = verb(match["verb"].lower()) if match else None
    if match is None or found is None or not match["who"][0].isupper() or found.tag.tense != "pres":
        return clause
    is_who = any({"Name", "nomn"} in each.tag for each in parses(match["who"].split()[0].lower()))
    what = match["what"].lower()
    tags = [parses(word)[0].tag for word in what.split()]
    if not is_who or any(tag.POS in ("NPRO", "VERB", "CONJ") or "Name" in tag for tag in tags):
        return clause
    return f"{match['who']} {match['verb'].lower()} {what}"


_NAMED = re.compile(r"(?P<name>[А-ЯЁ][а-яё]+)(?: [А-ЯЁ][а-яё]+)? (?:не |уже |теперь |тоже )?(?P<verb>[а-яё]+)\b")


def _names_who(part: str) -> bool:
    """``Дима Лапин делает дизайн``: a name, and what they do."""
    match = _NAMED.match(part)
    if match is None or not any("Name" in each.tag for each in parses(match["name"].lower())):
        return False
    return _is_finite(match["verb"])


def _is_apposition(part: str) -> bool:
    """``мой армейский друг``: who somebody is, beside their name."""
    if not re.fullmatch(r"(?:мо[йя]|наша?) [а-яё]+(?: [а-яё]+){0,3}", part):
        return False
    tags = [parses(word)[0].tag for word in part.split()]
    return not any(tag.POS == "VERB" for tag in tags) and sum({"NOUN", "nomn"} in tag for tag in tags) == 1


def _is_finite(word: str) -> bool:
    found = verb(word)
    return found is not None and word not in words_of.NO_VERBS and ("indc" in found.tag or "impr" in found.tag)


def _is_own(word: str) -> bool:
    """``чай не пью``: a verb in the first person that can be nothing else."""
    first = parses(word)[0]
    return first.tag.POS == "VERB" and first.tag.person == "1per" and first.is_known and word not in words_of.NO_VERBS


def _is_kin(word: str) -> bool:
    return lemma(word) in words_of.KIN and "nomn" in parses(word)[0].tag


def _with_subject(part: str, before: str) -> str:
    """A verb that goes with the subject before it has that."""
    words = [word for word in re.findall(r"[\w-]+", part.lower()) if word not in _BEFORE_VERBS]
    if (
        words
        and _is_kin(words[0])
        and (whose := re.match(r"у (?:меня|нас)\b", before, re.IGNORECASE))
        and len(words) < 4
    ):
        return f"{whose[0]} {part}"
    found = verb(words[0]) if words and not _BEGINS.match(part) else None
    if found is None or "impr" in found.tag or found.tag.person == "1per":
        return part
    subject = _subject(before)
    return f"{subject} {part}" if subject else part


def _subject(clause: str) -> str:
    """The words before the verb of a clause, where they are one: ``моя сестра Аня``, ``мы``."""
    if match := _SUBJECT.match(clause):
        return match["who"]
    words = clause.split()
    at = next((index for index, word in enumerate(words) if _is_finite(word.lower().strip(",.")) and index), 0)
    first = words[:at]
    while first and first[-1].lower() in _BEFORE_VERBS:
        first.pop()
    return " ".join(first) if 0 < len(first) < 4 and not re.match(r"(?:у|мне|меня|в|на)\b", clause, re.I) else ""
