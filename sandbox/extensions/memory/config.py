"""Settings: the manifest gives defaults, the caller overrides them, and they are checked once."""

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from sandbox.extensions.memory.claims import Lasts, predicates
from sandbox.extensions.memory.errors import CategoryNotAllowed, ConfigurationError
from sandbox.extensions.memory.model import AcrossProjects, ContextMode
from sandbox.support.fields import Fields, each, one_of, table, unknown
from sandbox.support.trust import TRUST_ORDER, Trust

Consent = Literal["ask", "twice", "never"]

_MANIFEST = "manifest.yaml"
_TURN = "episodic"  # the category of turns, which have none
_OF_CATEGORIES = ("category_lasts", "unused_days", "rag_length")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one memory and the values they may have; the manifest gives meanings and defaults."""

    decay_rate_default: Annotated[float, Fields.amount]
    category_lasts: Annotated[Mapping[str, Lasts], table(one_of(get_args(Lasts)))]
    unused_days: Annotated[Mapping[str, int], table(Fields.whole)]
    purge_days: Annotated[int, Fields.whole]
    max_total: Annotated[int | None, Fields.count] = None
    categories: Annotated[tuple[str, ...], each(Fields.text, least=1)]
    allowlists: Annotated[Mapping[str, tuple[str, ...]], table(each(Fields.text))]
    facts_per_day: Annotated[int, Fields.whole]
    quarantine_below: Annotated[Trust, one_of(TRUST_ORDER)]
    consent: Annotated[Mapping[str, Consent], table(one_of(get_args(Consent)))]
    across_projects: Annotated[AcrossProjects, one_of(get_args(AcrossProjects))]
    causal_inference_batch_size: Annotated[int, Fields.whole]
    tokens_per_day: Annotated[int, Fields.whole]
    tokens_per_user: Annotated[int | None, Fields.whole] = None
    rag_length: Annotated[Mapping[str, int], table(Fields.whole)]
    context_mode: Annotated[ContextMode, one_of(get_args(ContextMode))]
    context_token_budget: Annotated[int | None, Fields.count] = None
    without: tuple[str, ...] = ()
    """The names of parts that a search leaves out, so that their worth can be measured; no setting of a file."""
    file: str | Path = field(default="config", compare=False)
    """The source of the values, and ``within`` the prefix of their keys there: an error names both."""
    within: str = field(default="", compare=False)

    def allowed(self, agent: str | None) -> tuple[str, ...] | None:
        """The categories that an agent may use; None: every one."""
        return None if agent is None else self.allowlists.get(agent)

    def check_category(self, agent: str | None, category: str) -> None:
        """Raise ``CategoryNotAllowed`` if an agent may not use a category."""
        allowed = self.allowed(agent)
        if allowed is not None and category not in allowed:
            raise CategoryNotAllowed(agent=agent, category=category, allowed=", ".join(allowed) or "none")

    def check_every_category(self, agent: str | None) -> None:
        """Raise ``CategoryNotAllowed`` unless an agent may use turns and every category."""
        for category in (*self.categories, _TURN):
            self.check_category(agent, category)

    @classmethod
    def load(
        cls,
        overrides: Mapping[str, Any] | None = None,
        *,
        without: Collection[str] = (),
        file: str | Path = "config",
        within: str = "",
    ) -> "Config":
        """The manifest's defaults with ``overrides``, and a search ``without`` some parts. None counts as absent; a
        table is overridden row by row. ``file`` is the source of the overrides and ``within`` the prefix of their keys;
        a ``ConfigurationError`` and the warning about a retired setting name both.
        """
        manifest = _manifest()
        defaults, given = manifest["config"], Fields(file, overrides or {}, ConfigurationError, within)
        for warning in given.retired(manifest["retired"]):
            logger.warning("%s", warning)
        values = dict(defaults)
        for key, value in given.values.items():
            if key in manifest["retired"] or value is None:
                continue
            is_table = isinstance(value, Mapping) and isinstance(defaults.get(key), Mapping)
            values[key] = {**defaults[key], **value} if is_table else value
        fields = Fields(file, values, ConfigurationError, within)
        config = fields.read(cls, without=tuple(without), file=file, within=within)
        config._check_names(defaults)
        return config

    def _check(self, key: str, names: Iterable[str], known: Collection[str], usual: Collection[str]) -> None:
        """Refuse an unknown name in a setting: it would have no effect, and nobody would be told. The ``usual`` names
        have rows by default, and are not proposed. Raises ``ConfigurationError``.
        """
        for name in names:
            if name not in known and name not in usual:
                problem = unknown(name, known)
                raise ConfigurationError(file=self.file, key=f"{self.within}{key}.{name}", problem=problem)

    @property
    def usual_category(self) -> str:
        """The category of a memory for which none is given."""
        return "fact" if "fact" in self.categories else self.categories[0]

    def _check_names(self, defaults: Mapping[str, Any]) -> None:
        for key in _OF_CATEGORIES:
            self._check(key, getattr(self, key), self.categories, defaults["categories"])
        for agent, names in self.allowlists.items():
            self._check(f"allowlists.{agent}", names, (*self.categories, _TURN), defaults["categories"])
        usual = defaults["consent"]
        if self.consent.keys() - usual:  # the predicates are read only for such a row
            known = dict.fromkeys((*usual, *self.categories, *predicates()))
            self._check("consent", self.consent, known, defaults["categories"])


@cache
def _manifest() -> Mapping[str, Any]:
    from sandbox.support.yaml_files import read_packaged  # slow to import; a child process is given its settings

    manifest: Mapping[str, Any] = read_packaged(Path(__file__).with_name(_MANIFEST))
    return manifest
