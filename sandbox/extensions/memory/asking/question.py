"""The parts of a question: its Jinja2 template, the JSON schema of its answer, and an estimate of its cost. Pure,
except that each template is read once and each schema made once; nobody may change one.
"""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from pydantic import BaseModel

from sandbox.extensions.memory.ports import EstimatedTokens, Question
from sandbox.extensions.memory.text.fence import escaping

FENCE = "material"
"""Templates put data between `<material>` and `</material>`."""

escape = escaping(FENCE)


def prompt_tokens(question: Question) -> int:
    """An estimate of the prompt's tokens, with those of the schema."""
    earlier = [part for pair in question.earlier for part in pair]
    return sum(EstimatedTokens().count_tokens([question.system, question.user, str(question.schema), *earlier]))


_SAID = ("default", "title", "description")  # of a schema; the prompt explains the answer


@cache
def schema(answer: type[BaseModel], *, strict: bool = True) -> dict[str, Any]:
    """The JSON schema of an answer in the form that servers use to restrict answers: no other keys, no references, no
    explanations. If it is ``strict``, every key is required; otherwise an optional key is left out rather than null.
    """
    whole = answer.model_json_schema()
    found: dict[str, Any] = _bare(whole, strict, whole.pop("$defs", {}))
    return found


def _bare(part: Any, strict: bool, parts: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_bare(each, strict, parts) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _bare(parts[part["$ref"].rpartition("/")[2]], strict, parts)
    if not strict and part.get("anyOf", [])[1:] == [{"type": "null"}]:
        return _bare(part["anyOf"][0], strict, parts)
    kept = {
        key: _bare(value, strict, parts) for key, value in part.items() if key not in _SAID or isinstance(value, dict)
    }
    if "properties" in kept:
        kept |= {"additionalProperties": False}
        kept |= {"required": list(kept["properties"])} if strict else {}
    return kept


@cache
def template(name: str, package: str) -> Template:
    """The template ``prompts/{name}.jinja2`` in ``package``. Material that it prints stays on its own lines and inside
    the fence; a missing name raises ``jinja2.UndefinedError``.
    """
    return _environment(package).get_template(f"{name}.jinja2")


@cache
def _environment(package: str) -> Environment:
    return Environment(
        loader=PackageLoader(package, "prompts"),
        autoescape=False,  # the text is no HTML; `finalize` guards the fence
        undefined=StrictUndefined,
        finalize=lambda value: escape(value) if isinstance(value, str) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
