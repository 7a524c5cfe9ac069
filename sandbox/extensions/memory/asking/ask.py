"""Ask a language model for one JSON value that follows a schema, and accept nothing else.

A prompt is a Jinja2 template ``prompts/{name}.jinja2`` with the blocks ``system`` and ``user``, beside the pydantic
model of its answer.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from sandbox.extensions.memory.asking.parse import read
from sandbox.extensions.memory.asking.question import schema, template
from sandbox.extensions.memory.errors import BadAnswer, ModelUnavailable
from sandbox.extensions.memory.ports import Answer, LanguageModel, Question
from sandbox.extensions.memory.reports import Spent

A = TypeVar("A", bound=BaseModel)
Kind = Literal["refused", "empty", "truncated", "no_json", "wrong_shape", "violation"]

_ATTEMPTS = 2
_SHOWN = 8000  # characters of a refused answer that go back to the model
_SHOWN_OF_TRUNCATED = 200
_IN_FULL = "Answer the same question again, in full."
_PROBLEMS: Mapping[Kind, str] = {
    "refused": "it refused",
    "empty": "it said nothing",
    "truncated": "it was cut off at the limit of its length",
    "no_json": "it was no JSON",
    "wrong_shape": "it did not follow the schema",
    "violation": "it broke the rules for its content",
}
_REASONS: Mapping[Kind, str] = {
    "refused": "This was no answer. Nothing is asked but to restate the material as data; leave out what cannot be.",
    "empty": "The answer was empty.",
    "truncated": "The answer was too long and was cut off. Give the most important items only, briefly.",
    "no_json": "The answer was not JSON.",
}


@dataclass(frozen=True, slots=True)
class Prompt(Generic[A]):
    """A question: its template, with the package of the template, and the schema of its answer. Lists in the answer
    have no default, because a fragment must not pass for an empty answer. ``again`` is the instruction for a second
    answer when the content of the first was wrong; the server holds that one to the form ``corrected``, which
    ``answer`` reads, too, and then the block ``again`` of the template is the whole instruction for it. A ``compact``
    answer may leave out keys that have a default.
    """

    name: str
    package: str
    answer: type[A]
    max_tokens: int = 2000
    again: str = _IN_FULL
    compact: bool = False
    corrected: type[BaseModel] | None = None

    def question(self, **material: Any) -> Question:
        """The question to a model with this material; also used to estimate its cost."""
        said_by = template(self.name, self.package)
        context = said_by.new_context(material)
        said = {name: "".join(block(context)).strip() for name, block in said_by.blocks.items()}
        shape, strict = schema(self.answer, strict=not self.compact), not self.compact
        question = Question(self.name, said["system"], said["user"], shape, self.max_tokens, strict=strict)
        if self.corrected is None:
            return question
        again = replace(question, system=said["again"], schema=schema(self.corrected), strict=True)
        return replace(question, again=again)


@dataclass(frozen=True, slots=True)
class Asked(Generic[A]):
    """A checked answer, its cost, and the number of answers that were refused before it, by ``Kind``. ``faults`` are
    what ``check`` still finds wrong, if the caller allows that.
    """

    answer: A
    spent: Spent
    refused: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Try(Generic[A]):
    """One answer: its value if it could be read, and the reasons if it is refused."""

    given: Answer
    answer: A | None = None
    kind: Kind | None = None
    reasons: tuple[str, ...] = ()
    again: str = _IN_FULL
    sent_back: str | None = None  # None: all of it

    @property
    def spent(self) -> Spent:
        return Spent(1, self.given.prompt_tokens, self.given.completion_tokens)

    @property
    def earlier(self) -> tuple[str, str]:
        """The part of it that the model needs to see again, and the reasons."""
        shown = _SHOWN_OF_TRUNCATED if self.kind == "truncated" else _SHOWN
        return (self.sent_back or self.given.text)[:shown], " ".join((*self.reasons, self.again))


async def ask(
    model: LanguageModel,
    prompt: Prompt[A],
    *,
    check: Callable[[A], Sequence[str]] | None = None,
    sent_back: Callable[[A], str] | None = None,
    lenient: bool = False,
    **material: Any,
) -> Asked[A]:
    """The model's answer to a prompt with ``material``. An answer that cannot be read, or in which ``check`` finds
    faults (one sentence each, for the model), goes back once with the reasons. ``sent_back`` returns the part of an
    answer with faults that goes back; without it, all of it. With ``lenient``, the last answer that could be read is
    then returned with its faults, for the caller to correct.

    Raises ``ModelUnavailable`` and ``BadAnswer``. Their ``details["spent"]`` is the cost, ``details["refused"]`` the
    refused answers; ``details["kind"]`` of ``BadAnswer`` is a ``Kind``.
    """
    tries, gone = await _tries(model, prompt, prompt.question(**material), check, sent_back)
    spent = sum((each.spent for each in tries), Spent())
    refused = Counter(str(each.kind) for each in tries if each.kind)
    for each in reversed(tries):
        if each.answer is not None and (lenient or not each.kind):
            return Asked(each.answer, spent, refused, each.reasons)
    if gone:
        gone.details |= {"spent": spent, "refused": refused}
        raise gone
    kind = tries[-1].kind or "empty"
    raise BadAnswer(model=model.model_id, problem=_PROBLEMS[kind], kind=kind, spent=spent, refused=refused)


async def _tries(
    model: LanguageModel,
    prompt: Prompt[A],
    question: Question,
    check: Callable[[A], Sequence[str]] | None,
    sent_back: Callable[[A], str] | None,
) -> tuple[list[_Try[A]], ModelUnavailable | None]:
    """The answers of the model, until one is good, there were enough, or the model is unavailable."""
    tries: list[_Try[A]] = []
    while len(tries) < _ATTEMPTS and (not tries or tries[-1].kind):
        try:
            in_shape = any(each.answer is not None for each in tries)
            asked = (question.again if tries and tries[-1].kind == "violation" else None) or question
            earlier = tuple(each.earlier for each in tries)
            given = await model.ask(replace(asked, earlier=earlier, in_shape=in_shape))
        except ModelUnavailable as error:
            return tries, error
        tried = _judge(given, prompt, check)
        if tried.answer is not None and tried.kind and sent_back is not None:
            tried = replace(tried, sent_back=sent_back(tried.answer))
        tries.append(tried)
    return tries, None


def _judge(given: Answer, prompt: Prompt[A], check: Callable[[A], Sequence[str]] | None) -> _Try[A]:
    if kind := _not_said(given):
        return _Try(given, None, kind, (_REASONS[kind],))
    try:
        answer = read(given.text, prompt.answer)
    except ValidationError as error:
        return _Try(given, None, "wrong_shape", (f"The answer does not follow the schema: {_places(error)}.",))
    except ValueError:
        return _Try(given, None, "no_json", (_REASONS["no_json"],))
    faults = tuple(check(answer)) if check else ()
    return _Try(given, answer, "violation" if faults else None, faults, prompt.again)


def _not_said(given: Answer) -> Kind | None:
    if given.finish in ("refusal", "content_filter"):
        return "refused"
    if given.finish == "length":
        return "truncated"
    return None if given.text.strip() else "empty"


def _places(error: ValidationError) -> str:
    """The first few places where an answer does not follow its schema."""
    found = error.errors(include_input=False, include_url=False)[:5]
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'the top'}: {each['msg']}" for each in found)
