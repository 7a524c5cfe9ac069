"""Settings: what the manifest says, overridden by the caller, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from types import NoneType
from typing import Any, Literal, get_args, get_type_hints

from sandbox.extensions.memory.claims import Lasts
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import ConfigurationError, short
from sandbox.extensions.memory.model import AcrossProjects, ContextMode
from sandbox.support.trust import TRUST_ORDER, Trust

Fusion = Literal["scores", "ranks"]

_MANIFEST = "manifest.yaml"
_FRACTIONS = (
    "decay_threshold",
    "similarity_threshold",
    "minimum_similarity",
    "abstain_below",
    "context_relevance",
    "context_enough",
    "repeated_factor",
    "link_minimum",
    "merge_minimum",
)
_TABLES = ("decay_factors", "category_lasts")
_COUNTS = (
    "candidates",
    "rerank_candidates",
    "max_content_characters",
    "max_fact_characters",
    "consolidation_episodes_per_chunk",
    "max_facts_per_turn",
    "max_extracted_characters",
    "merge_pairs_per_question",
    "entity_enrichment_min_mentions",
    "context_token_budget",
    "context_budget_simple",
    "context_budget_complex",
)


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one memory; the manifest documents each."""

    decay_threshold: float
    decay_rate_default: float
    decay_factors: Mapping[Lasts, float]
    category_lasts: Mapping[str, Lasts]
    fading_days: int
    categories: tuple[str, ...]
    max_content_characters: int
    max_fact_characters: int
    quarantine_below: Trust
    across_projects: AcrossProjects
    similarity_threshold: float
    consolidation_episodes_per_chunk: int
    max_facts_per_turn: int
    max_extracted_characters: int
    consolidation_retry_minutes: int
    link_minimum: float
    link_neighbours: int
    merge_minimum: float
    merge_window_hours: int
    merge_pairs_per_day: int
    merge_pairs_per_question: int
    entity_enrichment_min_mentions: int
    causal_inference_batch_size: int
    insight_interval_hours: int
    tokens_per_run: int
    tokens_per_day: int
    rrf_k: int
    rrf_weight_fts: float
    rrf_weight_vector: float
    rrf_weight_graph: float
    rrf_weight_entity: float
    fusion: Fusion
    score_weight_fts: float
    score_weight_vector: float
    score_weight_graph: float
    score_weight_entity: float
    without: tuple[str, ...]
    candidates: int
    rerank_candidates: int
    spread_neighbour: float
    spread_answer: float
    spread_second: float
    session_evidence: float
    named_evidence: float
    period_evidence: float
    dated_evidence: float
    newer_share: float
    short_factor: float
    question_factor: float
    repeated_factor: float
    minimum_similarity: float
    context_relevance: float
    context_enough: float
    context_mode: ContextMode
    abstain_below: float
    context_token_budget: int | None
    context_budget_simple: int
    context_budget_complex: int
    context_share_core: float
    context_share_facts: float
    context_share_profiles: float
    context_share_temporal: float
    context_share_evidence: float

    @property
    def fading_window(self) -> int:
        """``fading_days`` in milliseconds."""
        return self.fading_days * DAY

    @classmethod
    def load(cls, overrides: Mapping[str, Any] | None = None, *, file: str = "config") -> "Config":
        """The manifest's defaults with ``overrides``. ``file`` names where those came from, for errors."""
        overrides = overrides or {}
        known = {field.name for field in fields(cls)}
        for key in overrides:
            if key not in known:
                raise ConfigurationError(
                    file=file, key=key, problem=f"is unknown; known are {', '.join(sorted(known))}"
                )
        values = _defaults() | dict(overrides)
        types = get_type_hints(cls)
        return cls(**{key: _typed(key, value, types[key], file) for key, value in values.items()})


@cache
def _defaults() -> dict[str, Any]:
    import yaml  # which a process that is given its settings does without

    text = files(__package__).joinpath(_MANIFEST).read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # where libyaml is there, a tenth of the time
    defaults: dict[str, Any] = yaml.load(text, loader)["config"]
    return defaults


def _typed(key: str, value: Any, type_: Any, file: str) -> Any:
    """The value in its declared type; an error names file and key."""
    if value is None and NoneType in get_args(type_):
        return None
    problem, converted = None, value
    if key in _TABLES:
        problem, converted = _table(key, value)
    elif type_ is float or float in get_args(type_):
        problem, converted = _number(value, float)
    elif type_ is int or int in get_args(type_):
        problem, converted = _number(value, int)
    elif key == "without" and value in ([], ()):
        converted = ()
    elif key in ("categories", "without"):
        problem, converted = _names(value)
    elif key == "quarantine_below":
        problem = None if value in TRUST_ORDER else f"must be one of {', '.join(TRUST_ORDER)}"
    elif type_ in (AcrossProjects, ContextMode, Fusion):
        problem = None if value in get_args(type_) else f"must be one of {', '.join(get_args(type_))}"
    if problem is None and key in _FRACTIONS and converted > 1:
        problem = f"must be between 0 and 1, not {short(value)!r}"
    if problem is None and key in _COUNTS and converted is not None and converted < 1:
        problem = f"must be 1 or more, not {short(value)!r}"
    if problem is not None:
        raise ConfigurationError(file=file, key=key, problem=problem)
    return converted


def _table(key: str, value: Any) -> tuple[str | None, Any]:
    """The defaults with what a table says, a row at a time."""
    defaults, lasts = _defaults()[key], get_args(Lasts)
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        return f"must be a table of names, not {short(value)!r}", value
    if key == "category_lasts":
        wrong = next((row for row in value.values() if row not in lasts), None)
        return wrong and f"must say one of {', '.join(lasts)}, not {short(wrong)!r}", {**defaults, **value}
    for name, factor in value.items():
        problem = None if name in lasts else f"has no row {short(name)!r}; its rows are {', '.join(lasts)}"
        if problem := problem or _number(factor, float)[0]:
            return problem, value
    return None, {name: float(factor) for name, factor in {**defaults, **value}.items()}


def _number(value: Any, kind: type) -> tuple[str | None, Any]:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < float("inf"):
        return f"must be {'a whole number' if kind is int else 'a finite number'}, not {short(value)!r}", value
    if kind is int and value != int(value):
        return f"must be a whole number, not {short(value)!r}", value
    if value < 0:
        return f"must be 0 or more, not {short(value)!r}", value
    return None, kind(value)


def _names(value: Any) -> tuple[str | None, Any]:
    if not isinstance(value, list | tuple) or not value or not all(isinstance(name, str) and name for name in value):
        return f"must be a list of names, not {short(value)!r}", value
    return None, tuple(value)
