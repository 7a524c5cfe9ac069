"""The sentences in which somebody speaks for themselves. Pure."""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.rules import material
from sandbox.extensions.memory.consolidate.rules.texts import has_any, headless

_READ = 8000  # characters of a turn that are read; what is longer was pasted
_LONGEST = 500  # characters of a sentence; what is longer is no statement

_QUOTED = re.compile(r"[\"“«„][^\"“”«»„]{0,400}[\"”»]")
_BULLET = re.compile(r"^\s*(?:[-*•–—]|\d{1,2}[.)])\s+")
_END = re.compile(
    r"(?=[\s\"”»)\];.-])(?:(?<=[.!?…])[\"”»)\]]*\s+(?=[\"“«(\[]*[^\W_a-zа-яё]|\S*[^\w\s])|(?<=[!?])\s+|\s*;\s+"
    r"|\s*\n+\s*"
    r"|(?<=[A-Za-zа-яё\d][A-Za-zа-яё)%»\d/]\.)\s+(?=[a-zа-яё])|\.{2,}\s+(?=[a-z])|(?<=[a-z])(?:\s+[-—–]{1,2}"
    r"|-)\s+(?=[A-Za-z]))"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|vs|etc|e\.g|i\.e|a\.k\.a|approx|No|Jr|Sr|Ave|incl|esp|resp|dept|max|min|inc|ltd"
    r"|ул|г|им|т\.е|т\.д|т\.п|[A-ZА-Я]))\.$"
)
_SIGNS = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\x00-\x08\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e]+")
_PUT_RIGHT = re.compile(
    r"(?<=\w)(?:,| [-–—])\s(?=(?:oh )?(?:no,? wait|wait,? no|no,? sorry|нет,? (?:подожди|стой))\b)", re.I
)
_EMPTY = re.compile(r"\n(?:[^\S\n]*\n){2,}")  # lines; what may begin after any of them is looked for from each


def said(text: str) -> str:
    """A turn without signs that are no text."""
    text = _read(text).replace("’", "'").replace("\r", "\n")
    return _EMPTY.sub("\n\n", _PUT_RIGHT.sub(". ", _SIGNS.sub(" ", text)))


def _read(text: str) -> str:
    """As much of a turn as is read, without the sentence that would be cut there."""
    if len(text) <= _READ:
        return text
    return text[: max(text.rfind(sign, 0, _READ) for sign in ".!?…\n") + 1]


def sentences(text: str) -> Iterator[str]:
    """The sentences of what was said, in order, without bullets."""
    waiting = ""
    for part in _END.split(material.own(text)):
        whole = f"{waiting} {part or ''}".strip()
        if whole.endswith(".") and _ABBREVIATED.search(whole.rsplit(maxsplit=1)[-1]):
            waiting = whole
            continue
        waiting = ""
        if whole := headless(whole, _BULLET):
            yield whole
    if waiting:
        yield waiting


_ASKS = re.compile(
    r"(?P<told>[^?]{8,}?)(?:\s*[,:–—]\s*(?:(?:so|and|but|then|also|btw|ok)\s+)*|\s+(?:so|and|but)\s+)(?:how"
    r"|what(?:'s)?|where|when|why|which|who|can|could|do|does|did|is|are|should|would|will|any|shall|right|idk"
    r"|maybe|perhaps|thoughts|ideas|suggestions|say)\b[^?]*\?",
    re.IGNORECASE,
)
_IS_QUESTION = re.compile(
    r"(?:(?:so|and|but|also|hey|hi|ok|well|btw)[\s,]+)*(?:how|what|where|when(?! I (?:\w+ ){1,4}I\b)|why|which|who"
    r"|whose|can|could|do|does|did"
    r"|is|are|was|were|should|would|will|any|shall|am|have|has|may|if|suppose|imagine|say|let's)\b",
    re.IGNORECASE,
)


_ASKS_RU = re.compile(
    r"(?P<told>[^?]{8,}?)\s*[,:–—-]\s*(?:(?:и|а|но|так|ну|тогда|может|подскажи|посоветуй|кстати)\s+)*(?:что|как|где"
    r"|куда|когда|почему|зачем|кто|кому|чем|какой|какая|какое|какие|какую|сколько|чего|откуда|стоит ли|можно ли"
    r"|можно|есть ли|нужно ли|не подскажешь|подскажешь|посоветуешь|поможешь|можешь|\w+ ли)\b[^?]*\?",
    re.IGNORECASE,
)
_IS_QUESTION_RU = re.compile(
    r"(?:(?:и|а|но|ну|так|привет|кстати|слушай|скажи|подскажи)[\s,]+)*(?:что|как|где|куда|когда|почему|зачем"
    r"|кто|кому|чем|как\w{2,3}"
    r"|сколько|откуда|можешь|можно|ты|вы|если|допустим|представь|правда|разве|неужели|\w+ ли|а если|ли)\b",
    re.IGNORECASE,
)


def told(sentence: str) -> str:
    """What is said in a sentence before it turns into a question; empty where it is one from the beginning."""
    if match := _ASKS_RU.match(sentence):
        return "" if _IS_QUESTION_RU.match(sentence) else match["told"]
    match = _ASKS.match(sentence)
    return match["told"] if match and not _IS_QUESTION.match(sentence) else ""


_WANTED = re.compile(
    r"(?:can|could|would|will) you (?:please |maybe |just )?(?:always|never|stop|not|from now on|mind not|keep (?:your "
    r"|all |the )?(?:answers|replies|responses|messages|explanations|it (?:short|brief|simple|concise)))\b"
    r"|^(?:can|could|would|will) you .*\b(?:from now on|going forward|in future|by default)\b"
    r"|^(?:а |и )?(?:ты )?можешь,? (?:пожалуйста,? )?(?:всегда|впредь|больше не|с этого момента)\b",
    re.IGNORECASE,
)


def wanted(sentence: str) -> str:
    """A wish that is put as a question as one that is not."""
    return sentence.rstrip(" ?") if _WANTED.search(sentence) and sentence.count("?") == 1 else sentence


_JOKES = re.compile(
    r"^(?:(?:haha|lol|ok|okay|no|nah|well|just|only|i'm|i am|i was|that was|it was|it's|sorry|obviously|of course"
    r"|but|hehe"
    r"|oh|ну|да|нет|ладно|ха+|хаха|просто|это|я|была?|конечно)[\s,.!]+)*(?:kidding|joking|jk|j/k|a joke|not serious|/s"
    r"|pulling your leg|messing with you|made (?:that|it) up|шучу|пошутил[аи]?|шутка|прикалываюсь|шутка такая)\b",
    re.IGNORECASE,
)


_JOKING = (  # one of them is in each
    "kidding", "jok", "jk", "j/k", "not serious", "/s", "pulling", "messing", "made that up", "made it up", "шуч",
    "шут", "прикал",
)  # fmt: skip


def hints_at_joke(text: str) -> bool:
    """Whether a turn may say that something was a joke."""
    return has_any(text, _JOKING)


def jokes(sentence: str) -> bool:
    """Whether it says that what was said before it was none: ``just kidding``."""
    return _JOKES.match(sentence) is not None


_LAUGH = r"(?:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|лол|ржу|а?(?:ха){2,}х?|(?:хе){2,})"
_LAUGHS = ("lol", "lmao", "rofl", "haha", "hehe", "лол", "ржу", "хаха", "хехе")  # one of them is in each laugh
_LAUGHED_AT = re.compile(
    rf"(?P<told>.*(?:[,;]|\b(?:but|so|но)\b))?(?P<last>(?:(?!\b(?:but|so"
    rf"|но)\b)[^,;])*?)(?P<apart>[\s,]*)\b{_LAUGH}\b[\s.!)]*",
    re.IGNORECASE,
)


def serious(sentence: str) -> str:
    """A sentence without laughter and what is laughed at: the last thing said before it, in words of its own."""
    if not has_any(sentence, _LAUGHS):
        return sentence
    sentence = re.sub(rf"^(?:{_LAUGH}\b[\s,.!]*)+", "", sentence, flags=re.IGNORECASE)
    match = _LAUGHED_AT.fullmatch(sentence)
    if match is None:
        return sentence
    told, last = match["told"] or "", match["last"].strip()
    return re.sub(r"[\s,;]*\b(?:but|so|но)?$", "", told).rstrip(" ,;") if last else told.strip(" ,;")


def is_readable(sentence: str) -> bool:
    """Whether it is short enough to be a statement."""
    return len(sentence) <= _LONGEST


def quotes(sentence: str) -> bool:
    """Whether it repeats words of somebody, more than a name or a title."""
    return any(len(match[0].split()) > 6 for match in _QUOTED.finditer(sentence))
