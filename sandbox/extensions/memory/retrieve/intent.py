"""The kind of answer that a question wants: why, when, who, what, or general.

Its words are data: ``questions.yaml`` in the folder of each language.
"""

from sandbox.extensions.memory.lexicon import pattern
from sandbox.extensions.memory.model import Intent

_INTENTS: tuple[Intent, ...] = ("why", "when", "who", "what")
"""The intents that have question words; the first one with a word in the question applies."""

_SIMPLE_WORDS = 12  # a longer question, or several at once, is complex


def intent_of(question: str) -> Intent:
    """The intent, by the question words of every language; takes less than a millisecond."""
    folded = question.casefold()
    return next((each for each in _INTENTS if _says(each, folded)), "general")


def is_complex(question: str) -> bool:
    """Whether a question wants more than a fact or two: it is long, or several questions, or asks for several things, a
    comparison or an explanation.
    """
    folded = question.casefold()
    is_long = len(folded.split()) > _SIMPLE_WORDS or folded.count("?") > 1
    return is_long or _says("complex", folded) or _says("several", folded)


def asks_what_happened(question: str) -> bool:
    """Whether it asks what happened, recently or in a time: "what happened in May?", "what's new?"."""
    return _says("what_happened", question.casefold())


def asks_about_user(question: str) -> bool:
    """Whether it asks for all that is known of the user: "who am I?", "what do you know about me?"."""
    return _says("about_user", question.casefold())


def asks_about_own_life(question: str) -> bool:
    """Whether it asks for something that the user has mostly said: "what is my dog called?", but neither "what did you
    recommend to me?" nor "why do I get this error?", which assistants explain.
    """
    intent = intent_of(question)
    is_question = "?" in question or intent != "general"
    return is_question and intent != "why" and not asks_how(question) and _says("own_life", question.casefold())


def asks_how(question: str) -> bool:
    """Whether it asks for the steps of doing something: "how do I deploy?", "what are the steps?"."""
    return _says("how_to", question.casefold())


def _says(name: str, folded: str) -> bool:
    return bool(pattern("questions", name).search(folded))
