"""What somebody thinks of something, in Russian. Pure."""

import re

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import parses, within
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

_THINKS = re.compile(
    r"^(?:(?P<now>теперь|уже|передумал[аи]?)[\s,:]+)?(?:я\s+)?(?:(?P<now2>теперь|уже)\s+)?(?:(?:твёрдо|твердо|лично"
    r"|искренне|по-прежнему|давно)\s+)?(?P<ended>больше не\s+|уже не\s+)?(?P<not>не\s+)?(?:думаю|считаю|полагаю"
    r"|уверен[аы]?|убежд[её]н[аы]?|нахожу|верю)\s*,?\s+что\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_SEEMS = re.compile(
    r"^(?:(?P<now>теперь)\s+)?(?:по-моему|как по мне|на мой взгляд|на мой вкус|имхо|по моему мнению|мо[её] мнение"
    r"|мне кажется|кажется|мне сейчас кажется|для меня)\s*[,:—-]?\s+(?:что\s+)?(?P<what>.+)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",\s*(?:по-моему|как по мне|на мой взгляд|имхо|мне кажется)\s*,?|\s+(?:имхо|по-моему)$", re.IGNORECASE
)
_FINDS = re.compile(
    r"^(?:я\s+)?(?P<not>не\s+)?(?:считаю|нахожу)\s+(?P<what>(?:[\w-]+ ){1,5}(?:[\w-]+(?:ым|им|ой|ей|ыми|ими|ом|ем)"
    r"|\w+ \w+(?:ой|ом))\b[\w ]*)$",
    re.IGNORECASE,
)
_TAIL = re.compile(r",\s*(?:как|потому|ведь|хотя|но|а|и|так что|поэтому|особенно|если|когда|ч[её]м)\b.*", re.IGNORECASE)
_JUDGES = re.compile(
    r"\b(?:лучше|хуже|слишком|очень|зря|переоцен\w+|недооцен\w+|не стоит|стоит того|ужас\w*|отстой|бред|шедевр|скучн\w+"
    r"|гениальн\w+|прекрасн\w+|самый|самая|самое|самые|—|незаменим\w+|бесполезн\w+|полезн\w+)\b|—",
    re.IGNORECASE,
)
_KIND = Kind("fact", 2, "opinion")


def opinion(clause: str, speaker: str) -> Said | None:
    """``Я считаю, что Python переоценён``, ``по-моему, дюна затянута``; None where it is no judgement of anything."""
    if match := _THINKS.match(clause):
        now = bool(match["now"] or match["now2"])
        return _thought(match["what"], speaker, now=now, ended=bool(match["ended"]), denied=bool(match["not"]))
    if match := _FINDS.match(clause):
        return _found(match, speaker)
    match = _SEEMS.match(clause)
    what = match["what"] if match else _ASIDE.sub("", clause)
    if (match or what != clause) and _judges(what):
        return _thought(what, speaker, now=bool(match and match["now"]))
    return None


def _thought(what: str, speaker: str, *, now: bool = False, ended: bool = False, denied: bool = False) -> Said | None:
    what = _TAIL.sub("", what).strip(" .,!")
    words = re.findall(r"[\w-]+", what.lower())
    if set(words) & (words_of.PRONOUNS | words_of.UNSURE | words_of.NOW) or not 1 < len(words) < 20:
        return None
    said = f"{speaker} {'больше не ' if ended else 'не ' if denied else ''}считает, что {what}"
    replaces = (
        (f"{speaker} считает, что {what}",) if ended else (f"{speaker} считает, что {_topic(words)}",) if now else ()
    )
    return _of(said, speaker, replaces)


def _found(match: re.Match[str], speaker: str) -> Said | None:
    words = set(re.findall(r"[\w-]+", match["what"].lower()))
    if words & words_of.PRONOUNS:
        return None
    return _of(f"{speaker} {'не ' if match['not'] else ''}считает {match['what']}", speaker, ())


def _of(wording: str, speaker: str, replaces: tuple[str, ...]) -> Said:
    about = Subject(speaker, within(speaker, "nomn"), is_self=True)
    ended = tuple(Replaced("change", statement=f"{each}.") for each in replaces)
    return Said(about, "", kind=_KIND, wording=wording, replaces=ended)


def _topic(words: list[str]) -> str:
    """What it is about: the words up to the first noun or name."""
    end = next((index for index, word in enumerate(words) if word.isascii() or parses(word)[0].tag.POS == "NOUN"), 0)
    return " ".join(words[: end + 1])


def _judges(what: str) -> bool:
    """Whether it says what something is like."""
    if _JUDGES.search(what):
        return True
    tags = [parses(word)[0].tag for word in re.findall(r"[\w-]+", what.lower())]
    return any(tag.POS in ("ADJS", "PRTS", "COMP") for tag in tags)
