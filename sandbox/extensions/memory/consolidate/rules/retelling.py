"""A Russian clause in the first person, retold in the third, word by word. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sandbox.extensions.memory.consolidate.rules.morphology import gender, in_case, parses, verb, within

_CASES = {
    "меня": "gent", "нас": "gent", "мне": "datv", "нам": "datv", "мной": "ablt", "нами": "ablt", "мною": "ablt",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Retold:
    """A clause in the third person. ``verbs`` are the finite verbs in it, ``own``: the speaker is in it."""

    words: tuple[str, ...]
    verbs: tuple[Any, ...]
    own: bool
    plural: bool


def retell(tokens: Sequence[str], speaker: str) -> Retold:
    """Pronouns by name, verbs in the third person."""
    out: list[str] = []
    verbs: list[Any] = []
    plural = waiting = named = acts = False
    own = _is_own(tokens)
    for index, token in enumerate(tokens):
        low = token.lower()
        if low in ("я", "мы"):
            out.append(speaker)
            own, named, acts, plural = True, True, True, plural or low == "мы"
        elif low in _CASES:
            out.append(in_case(speaker, _CASES[low]))
            own, plural = True, plural or low in ("нас", "нам", "нами")
            named = named or low in ("меня", "мне") or tokens[0].lower() == "у"
        elif re.fullmatch(r"мо[йяеёи]|мо(?:его|ему|ей|ём|ем|им|ими|их|ю)|наш(?:[аеиу]|его|ему|ей|ем|им|ими|их)?", low):
            own = waiting = True
            named = True
        elif (
            (found := verb(low))
            and not (_describes(tokens[index - 1 : index]) and found.tag.tense != "past" and _may_be_no_verb(low))
            and low not in ("есть", "стали", "суши", "мыла")
        ):
            verbs.append(found)
            ours = (acts or (own and not named)) and not _is_third(found)
            out.append(_third(found, token, speaker) if ours or found.tag.person == "1per" else token)
            if found.tag.person == "1per":
                own, plural = True, plural or found.tag.number == "plur"
        elif (
            acts
            and not verbs
            and low not in ("беременна", "кето")
            and parses(low)[0].tag.POS in ("ADJS", "PRTS")
            and speaker.lower() == "пользователь"
        ):
            form = parses(low)[0].inflect({"masc", "sing"})
            out.append(str(form.word) if form else token)
        else:
            out.append(token)
            if waiting and (parses(low)[0].tag.POS == "NOUN" or low.isascii()):
                following = tokens[index + 1] if index + 1 < len(tokens) else ""
                if not _goes_with(following):
                    out.append(in_case(speaker, "gent"))
                    waiting = False
    if own and not named:
        out[0] = out[0] if _is_name(out[0]) else out[0][:1].lower() + out[0][1:]
        out.insert(0, speaker)
    return Retold(tuple(out), tuple(verbs), own, plural)


def _goes_with(following: str) -> bool:
    """``время года``, ``день рождения``: a noun in the genitive belongs to the one before it."""
    return following.islower() and {"NOUN", "gent", "inan"} in parses(following)[0].tag if following else False


def _describes(before: Sequence[str]) -> bool:
    """``острую``: what follows an adjective or a preposition is a noun."""
    return bool(before) and parses(before[0].lower())[0].tag.POS in ("ADJF", "PREP")


def _may_be_no_verb(word: str) -> bool:
    return any(each.tag.POS != "VERB" for each in parses(word)[:2])


def _is_name(word: str) -> bool:
    return word.isascii() or any(mark in parses(word.lower())[0].tag for mark in ("Name", "Geox", "Surn", "Orgn"))


def _is_own(tokens: Sequence[str]) -> bool:
    """``Переехал в Берлин``, ``мотоцикл продал``: a past of one that has no other subject."""
    at = next((index for index, token in enumerate(tokens[:5]) if verb(token.lower())), None)
    found = verb(tokens[at].lower()) if at is not None else None
    if at is None or found is None or found.tag.tense != "past" or found.tag.number != "sing":
        return False
    if found.tag.gender == "neut" or any(map(_acts, tokens[at + 1 : at + 3])):
        return False
    before = [token for token, beside in zip(tokens[:at], ("", *tokens), strict=False) if not _governs(beside)]
    before = [token for token in before if not _governs(token)]
    may_act = [token for token in before if token.isascii() or _is_noun(token, "nomn")]
    if not may_act:
        return all(parses(token.lower())[0].tag.POS not in ("NPRO", "NUMR") for token in before)
    after = (token for token, beside in zip(tokens[at + 1 :], tokens[at:], strict=False) if not _governs(beside))
    others = (token for token in after if parses(token.lower())[0].normal_form not in _TIMES)
    is_had = "tran" in found.tag and not any(_is_noun(token, "accs") for token in others)
    return is_had and all(_is_noun(token, "accs") and not _acts(token) and not token.isascii() for token in may_act)


def _acts(token: str) -> bool:
    """Whether it can only be whom or what a clause is about: a noun in the nominative."""
    tag = parses(token.lower())[0].tag
    return tag.POS == "NOUN" and "nomn" in tag and ("anim" in tag or not _is_noun(token, "accs"))


def _is_noun(token: str, case: str) -> bool:
    return any({"NOUN", case} in each.tag for each in parses(token.lower())[:3])


def _governs(token: str) -> bool:
    return bool(token) and parses(token.lower())[0].tag.POS == "PREP"


_BEFORE_VERB = frozenset("не больше уже никогда тоже почти совсем".split())


def straight(words: Sequence[str], speaker: str) -> tuple[str, ...]:
    """A clause with what the speaker does before what is done to it: ``йогу пользователь бросил``."""
    at = next((index for index, word in enumerate(words) if verb(word.lower())), 0)
    start = at
    while start and words[start - 1].lower() in _BEFORE_VERB:
        start -= 1
    head = list(words[:start])
    if speaker not in head:
        return tuple(words)
    head.remove(speaker)
    if not head or not (_is_object(head) or _is_beside(head, words[at])):
        return tuple(words)
    head[0] = head[0] if _is_name(head[0]) else f"{head[0][:1].lower()}{head[0][1:]}"
    return (speaker, *words[start : at + 1], *head, *words[at + 1 :])


def _is_beside(head: Sequence[str], did: str) -> bool:
    """``С Ритой расстался``, ``в Твери живёт``."""
    where = ("в", "во", "на") if did.lower() in ("живёт", "работает", "учится", "служит") else ("с", "со")
    return len(head) == 2 and head[0].lower() in where


def _is_object(words: Sequence[str]) -> bool:
    tags = [[each.tag for each in parses(word.lower())[:4]] for word in words]
    if len(words) == 1 and any(tag.POS == "INFN" for tag in tags[0]):
        return True
    is_noun = any({"NOUN", "accs"} in tag or {"NOUN", "gent"} in tag for tag in tags[-1])
    is_noun = is_noun or words[-1].isascii() or bool(len(words) == 1 and words[0].endswith("ский"))
    is_time = parses(words[-1].lower())[0].normal_form in _TIMES
    return len(words) < 3 and is_noun and not is_time and all(_describing(each) for each in tags[:-1])


def _describing(tags: Sequence[Any]) -> bool:
    return any(tag.POS in ("ADJF", "PRTF") and tag.case in ("accs", "gent") for tag in tags)


_TIMES = frozenset("год месяц неделя день утро вечер ночь час раз лето зима весна осень".split())


def _is_third(found: Any) -> bool:
    return bool(found.tag.person == "3per")


def _third(found: Any, token: str, speaker: str) -> str:
    if found.tag.tense == "past":
        wanted = "masc" if speaker.lower() == "пользователь" else gender(speaker)
        if found.tag.number == "plur" or speaker.lower() == "пользователь":
            form = found.inflect({"sing", wanted})
            return str(form.word) if form else token
        return token
    form = found.inflect({"3per", "sing"})
    return str(form.word) if form else token


def equated(text: str, speaker: str) -> str:
    """``Любимый цвет пользователя — синий``: with the dash that tells what is whose from what it is."""
    whose = within(speaker, "gent")
    following = text.partition(f" {whose} ")[2].partition(" ")[0].lower().strip(",")
    is_equal = not re.search(r"\w [—-] ", text) and "nomn" in parses(text.split()[0].lower())[0].tag
    if not is_equal or (following and parses(following)[0].tag.POS in ("ADJS", "PRTS", "PRED")):
        return text
    beside = r"(?:в|во|на|под|за|без|из|с|от|для|у|не|это|больше|уже|[—–:-])"
    return re.sub(rf"^(\S+(?: \S+){{0,3}}? {re.escape(whose)}) (?!{beside}(?:\s|$))(?=\S)", r"\1 — ", text, count=1)


def joined(words: Sequence[str]) -> str:
    """Words as text; the user is written small inside a sentence."""
    text = " ".join(words)
    text = re.sub(r" ([,:)»])", r"\1", text).replace("( ", "(").replace("« ", "«")
    text = re.sub(r"(?<=\S) Пользовател", " пользовател", text)
    return re.sub(r" - ", " — ", text).strip(" ,.")
