"""Errors of the memory in words for an assistant: what was not done, and what to do next. Each error is mapped here,
once.
"""

from collections.abc import Mapping

from sandbox.extensions.memory import errors
from sandbox.extensions.memory.errors import MemoryExtensionError


class Refusal(Exception):
    """A tool did not do what was asked. ``problem`` says what was wrong, ``advice`` what to do next."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem} {advice}")
        self.problem = problem
        self.advice = advice


_GO_ON = "Answer without the memory, and tell the user the problem."
_NOT_SAVED = "Tell the user, and do not say that it was saved."
_AGAIN = "Try once more in a moment. " + _NOT_SAVED

TOOL_NAMES: Mapping[str, str] = {
    "search": "search_memory",
    "remember": "remember_fact",
    "correct": "correct_fact",
    "command": "/memory",
}
"""The names of the assistant's tools, and of the place where a person types."""

# The details of the error fill the braces; none of them contains content that an assistant passed.
_SAID: Mapping[type[MemoryExtensionError], tuple[str, str]] = {
    errors.UnknownMemory: (
        "No memory has the id {id!r}.",
        "Ids come from your context and from {search}: search for the memory first.",
    ),
    errors.UnknownEntity: (
        "Nothing is known under that name.",
        "Try another name, or call {search} with your question.",
    ),
    errors.TooManyFacts: (
        "Nothing was stored: {stored} facts were stored today, and that is the limit.",
        "Store no more today. Tell the user that it was not stored.",
    ),
    errors.SecretRefused: (
        "Nothing was stored: the text holds a secret ({kinds}).",
        "Do not store it, not even in other words. Tell the user that secrets are not remembered, but the place where"
        " one is kept can be.",
    ),
    errors.SimilarMemory: (
        "Nothing was stored: a similar memory is known: {ids}.",
        "Look at it with explain_fact. If it is out of date or wrong, call {correct} with its id. If your fact is"
        " another one, call {remember} again with is_another_fact set to true.",
    ),
    errors.LessTrusted: (
        "Nothing was changed: this change of {id!r} needs the trust {needed!r}, and some text in this turn has only the"
        " trust {trust!r}.",
        "Tell the user both versions and ask which is right. After the answer, try again with the same id, without"
        " searching or fetching anything before; or the user confirms it with `{command} confirm {id}`.",
    ),
    errors.NotAdministrator: (
        "Nothing was changed: the memory is for all users, and only an administrator may change it.",
        "Tell the user so. A memory for this user alone can be stored with {remember}.",
    ),
    errors.NotCurrent: (
        "Nothing was changed: the memory {id!r} is {state}.",
        "If it is still true, store it again with {remember}. If it was forgotten, leave it; the user can restore it"
        " with `{command} restore {id}`.",
    ),
    errors.ChangedMeanwhile: (
        "Nothing was changed: the memory {id!r} was changed meanwhile.",
        "Look at it again with {search}, and try once more if it still has to be changed.",
    ),
    errors.InvalidContent: ("Nothing was stored: the content {problem}.", "Say one fact in a sentence or two."),
    errors.InvalidArgument: ("`{argument}` cannot be used as it is.", "Call again: {expected}."),
    errors.StoreClosed: ("The memory is closed.", _GO_ON),
    errors.DatabaseBusy: ("The memory is locked by another program.", _AGAIN),
    errors.DiskFull: ("The disk is full; nothing was stored.", _NOT_SAVED),
    errors.DiskFailed: ("The disk failed ({problem}).", _NOT_SAVED),
    errors.DatabaseReadOnly: ("The memory can only be read ({problem}).", _NOT_SAVED),
    MemoryExtensionError: ("The memory cannot be used now.", _GO_ON),
}


def refusal(error: MemoryExtensionError, names: Mapping[str, str] = TOOL_NAMES) -> Refusal:
    """The refusal for an error, with the names of the assistant's tools."""
    kind = next(kind for kind in type(error).__mro__ if kind in _SAID)
    problem, advice = _SAID[kind]
    return Refusal(problem.format(**names, **error.details), advice.format(**names, **error.details))
