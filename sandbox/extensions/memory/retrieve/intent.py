"""What kind of answer a question wants: why, when, who, what, or nothing special (specification 004, *Search*)."""

import re

import numpy as np

from sandbox.extensions.memory.model import Intent
from sandbox.support.embedder import Embedder, Vector

_OTHERS = "who|whom|whose|what|which|where|how|кто|кого|кому|что|чем|где|куда|как|какой|какая|какое|какие|сколько"
"""Question words after which *when* asks nothing: "How old was I when we moved?" is no question of time."""

_KEYWORDS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        "why",
        re.compile(
            r"\b(why|how come|what (made|caused|led)|what('s| is| was) the (reason|cause)|reasons? (for|why))\b"
            r"|\b(почему|зачем|отчего|из-за чего|по какой причине)\b"
        ),
    ),
    (
        "when",
        re.compile(
            r"\b((what|which) (time|date|day|month|year)|how long( ago)?|since when|until when)\b"
            r"|\b(во сколько|как давно|с каких пор|в каком (году|месяце)|какого числа|сколько времени)\b"
            rf"|^((?!\b({_OTHERS})\b).){{0,200}}\b(when|когда)\b"
        ),
    ),
    ("who", re.compile(r"\b(who|whom|whose)\b|\b(кто|кого|кому|с кем|у кого|о ком|чей|чья|чьё|чьи)\b")),
    (
        "what",
        re.compile(
            r"\b(what|which|where|tell me about)\b|\b(что|чего|чему|чем|какой|какая|какое|какие|где|куда|расскажи)\b"
        ),
    ),
)

EXEMPLARS: dict[Intent, tuple[str, ...]] = {
    "why": (
        "Why did this happen?",
        "What was the reason for that?",
        "What caused the problem?",
        "How come we decided that?",
        "Почему так получилось?",
        "Из-за чего это произошло?",
    ),
    "when": (
        "When did it happen?",
        "What date was it?",
        "How long ago was that?",
        "In which month or year did this take place?",
        "Когда это было?",
        "Какого числа это произошло?",
    ),
    "who": (
        "Who is this person?",
        "Who did I talk to?",
        "Whose idea was it?",
        "Кто этот человек?",
        "С кем я разговаривал?",
    ),
    "what": (
        "What is this?",
        "What do you know about it?",
        "Which one did I choose?",
        "Что это такое?",
        "Что ты об этом знаешь?",
    ),
    "general": (
        "Let us go on with the work.",
        "Please help me with this task.",
        "Write a short text for me.",
        "Давай продолжим работу.",
        "Помоги мне с этим.",
    ),
}

_SIMPLE_WORDS = 12  # longer questions, or several at once, are complex
_COMPLEX = re.compile(
    r"\b(compare|difference|differ|between|summari[sz]e|overview|everything|all the|step by step|why)\b"
    r"|\bhow (do|did|does|can|should)\b"
    r"|\b(сравни|разница|отличается|подробно|обзор|почему|всё|все)\b"
)

_SINGULAR = (
    "is|was|does|has|his|this|as|perhaps|always|bus|gas|makes?|helps|happens|means|goes|comes|gives|motivates|inspires"
)
_SEVERAL = re.compile(
    rf"\b(what|which)( (are|were)( the| some)?)?( (?!({_SINGULAR})\b)\w+(['’]s)?){{0,2}} (?!({_SINGULAR})\b)"
    r"\w+(?<![su'’i])s\b(?! (name|age|job)\b)|\bwhat (\w+ )?(kind|type|sort) of (\w+ )?\w+(?<![su'’i])s\b"
    r"|\b(what|which|who|where) (else|all)\b|\bwhat (has|have) \w+ \w+|\bwhere (has|have)\b|\bin what ways\b"
    r"|\bhow (often|many)\b|\blist (all|the|my|every)\b|\b(all|every|each) (of )?(the|my|his|her|their|our) \w+s\b"
    r"|\b(какие|каких|каким|какими|сколько раз|как часто|перечисли(те)?)\b|\b(что|кто|где) (ещ[её]|вс[её])\b"
    r"|\bгде .{0,60}\b(по)?бывал[аи]?\b"
)
"""Questions for more than one thing: their answer lies in several places."""

_WHAT_HAPPENED = re.compile(
    r"\b(lately|recently|these days|last time|catch me up|recap)\b|\bwhat('s| is| was) (new|going on|up)\b"
    r"|\bwhat (all )?(happened|has happened|have (i|we) (been )?(done|doing|up to))\b"
    r"|\bwhat did (i|we) (do|talk about|discuss)\b"
    r"|\bwhere (were we|did we (stop|leave off))\b"
    r"|\b(недавно|за последнее время|в последнее время|в прошлый раз|что нового|на ч[её]м мы остановились)\b"
    r"|\bчто (было|случилось|произошло|происходило|(я|мы) (делали?|обсуждали?))\b"
    r"|\bо ч[её]м мы (говорили|разговаривали)\b"
)
"""Questions for what went on."""


def classify_by_keywords(question: str) -> Intent:
    """The intent by the question words of English and Russian; under a millisecond."""
    folded = question.casefold()
    return next((intent for intent, pattern in _KEYWORDS if pattern.search(folded)), "general")


def is_complex(question: str) -> bool:
    """Whether a question wants more than a fact or two: long, several at once, for several things, or asking to compare
    and explain.
    """
    folded = question.casefold()
    is_long = len(folded.split()) > _SIMPLE_WORDS or folded.count("?") > 1
    return is_long or bool(_COMPLEX.search(folded)) or asks_for_several(question)


def asks_for_several(question: str) -> bool:
    """Whether it asks for several things: which gifts, what kinds, how often, where somebody has been."""
    return bool(_SEVERAL.search(question.casefold()))


def asks_what_happened(question: str) -> bool:
    """Whether it asks what went on, lately or in a time: "what happened in May?", "what's new?"."""
    return bool(_WHAT_HAPPENED.search(question.casefold()))


class EmbeddingIntentClassifier:
    """Nearest exemplar by cosine, in any language the embedder knows; keywords where nothing is near enough."""

    def __init__(self, embedder: Embedder, threshold: float) -> None:
        self._embedder = embedder
        self._threshold = threshold
        self._intents = [intent for intent, texts in EXEMPLARS.items() for _ in texts]
        self._exemplars: Vector | None = None

    async def classify(self, question: str, vector: Vector) -> Intent:
        """The intent of a question with a given unit vector."""
        if self._exemplars is None:
            texts = [text for group in EXEMPLARS.values() for text in group]
            self._exemplars = await self._embedder.embed_batch(texts)
        similarities = self._exemplars @ vector
        nearest = int(np.argmax(similarities))
        if similarities[nearest] >= self._threshold:
            return self._intents[nearest]
        return classify_by_keywords(question)
