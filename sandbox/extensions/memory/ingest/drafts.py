"""Turn messages and statements into drafts: clean them, mask or refuse secrets, analyse words. Pure; no database."""

import json
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypedDict

from sandbox.extensions.memory.authority import check_audience, check_change, is_users_word
from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import InvalidArgument, InvalidContent, NotCurrent
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ingest.cleaning import (
    clean,
    clean_claims,
    clean_key,
    clean_name,
    clean_names,
    one_of,
    stripped,
)
from sandbox.extensions.memory.ingest.lasting import coming, lasting
from sandbox.extensions.memory.ingest.profile_extraction import fillings
from sandbox.extensions.memory.ingest.quarantine import quarantined, trust_in
from sandbox.extensions.memory.model import (
    KNOWLEDGE,
    LONGEST_FACT,
    NOTES,
    SHORTEST_FACT,
    Message,
    Scope,
    Statement,
    Visibility,
)
from sandbox.extensions.memory.parse import claims_of
from sandbox.extensions.memory.store.rows import EVENT, INFERRED, INSIGHT, INSTRUCTION, ON_PURPOSE, Draft, Node
from sandbox.extensions.memory.text.fence import plain_name
from sandbox.extensions.memory.text.pasted_marks import without_headings
from sandbox.extensions.memory.text.words import fingerprint, stemmed_name, terms
from sandbox.extensions.memory.times import to_ms
from sandbox.secrets.turns import Ending
from sandbox.support.characters import composed, is_blank
from sandbox.support.times import from_ms, in_zone
from sandbox.support.trust import Trust, least

# The trust of each role. A message may have less, never more.
TRUST_OF_ROLE: dict[str, Trust] = {"user": "user", "assistant": "assistant", "system": "tool", "tool": "tool"}
CONFIDENCE_OF_SOURCE = {"explicit": 1.0, "corrected": 1.0, "inferred": 0.7}

# Sessions whose last turn is kept: those of two batches, one of which is not stored yet, and as many others.
_SESSIONS = 2_000

_NARROWING: tuple[Visibility, ...] = ("global", "user", "project", "session")
_MOST_IMPORTANT = 5


class _Analysed(TypedDict):
    content: str
    terms: str
    who: str
    term_count: int
    asks: bool


class Episode(NamedTuple):
    """A message ready to be stored, and the kinds of secrets that were masked in it."""

    draft: Draft
    masked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """The correction of a memory. Without a category, the memory keeps its own."""

    content: str
    trust: Trust
    claims: tuple[Claim, ...]
    category: str | None
    confidence: float | None


class EpisodeMaker:
    """Makes episodes of messages in the order in which they were said, because a turn may tell the secret that the turn
    before asked for or announced.

    It keeps the last turns of the latest sessions; those of ``unknown`` sessions have to be looked up.
    """

    def __init__(self) -> None:
        self._endings: OrderedDict[tuple[str, str | None], Ending] = OrderedDict()

    def unknown(self, messages: Iterable[Message], scope: Scope) -> set[str]:
        """The sessions of messages whose last turns it does not keep. Raises ``InvalidArgument``."""
        unknown = set[str]()
        for session in {_session(message, scope) for message in messages}:
            try:
                self._endings.move_to_end((scope.user_id, session))
            except KeyError:
                unknown |= {session} if session is not None else set()
        return unknown

    def know(self, sessions: Collection[str], endings: Mapping[str, str], scope: Scope) -> None:
        """Set the last turns of sessions, except where a newer turn is known."""
        for session in sessions:
            self._endings.setdefault((scope.user_id, session), Ending(secrets.asking(endings.get(session, ""))))

    def episode(self, message: Message, scope: Scope, now: int, config: Config) -> Episode:
        """The draft of an episode. Raises ``InvalidContent`` or ``InvalidArgument``."""
        session = _session(message, scope)
        kept, by = self._endings.pop((scope.user_id, session), Ending()), (message.role, message.speaker)
        made = _episode(message, session, scope, now, config, kept.asks(by))
        self._endings[scope.user_id, session] = kept.then(made.draft.content, by)
        while len(self._endings) > _SESSIONS:
            self._endings.popitem(last=False)
        return made

    def forget_all(self) -> None:
        """Drop the last turns of all sessions."""
        self._endings.clear()


def _session(message: Message, scope: Scope) -> str | None:
    return clean_name(message.session) or scope.session_id


def _episode(message: Message, session: str | None, scope: Scope, now: int, config: Config, asked: str) -> Episode:
    masked = secrets.mask(clean(message.content), asked)
    event_time = now if message.at is None else to_ms(message.at)
    trust = TRUST_OF_ROLE[message.role]
    if message.trust is not None:
        trust = least(trust, message.trust)
    speaker = plain_name(clean_name(message.speaker) or "") or None
    check_home(scope, session)
    draft = Draft(
        type="episodic",
        **_analysed(masked.text, speaker),
        fingerprint=None,
        scope=scope,
        event_time=event_time,
        confidence=1.0,
        decay_rate=0.0,
        fades_at=None,
        anchored_at=event_time,
        trust=trust,
        quarantined=False,
        source=clean_name(message.source) or "conversation",
        session_id=session,
        role=message.role,
        speaker=speaker,
        key=clean_key(message.key),
    )
    return Episode(quarantined(draft, config), masked.kinds)


def check_importance(importance: int) -> None:
    """Raise ``InvalidArgument`` unless the importance is 1 to 5."""
    if not 1 <= importance <= _MOST_IMPORTANT:
        raise InvalidArgument(argument="importance", value=importance, expected="give 1 to 5")


def knowledge(statement: Statement, scope: Scope, now: int, config: Config) -> Draft:
    """The draft of a statement. Raises ``InvalidContent``, ``InvalidArgument`` or ``SecretRefused``."""
    one_of("type", statement.type, KNOWLEDGE)
    one_of("category", statement.category, config.categories)
    config.check_category(scope.agent_id, statement.category)
    one_of("source", statement.source, tuple(CONFIDENCE_OF_SOURCE))
    check_importance(statement.importance)
    content = composed(clean(statement.content))
    if is_blank(content):  # invisible signs alone; a turn of a chat may have no others
        raise InvalidContent(problem="is empty")
    subject = stripped(statement.subject)
    check_home(scope, scope.session_id)
    secrets.refuse(content, subject or "", *statement.tags, *statement.contexts)
    happens = now if statement.at is None else to_ms(statement.at)
    claims = clean_claims(statement.claims) or _claims_of(statement, content, happens)
    category = INSTRUCTION if _is_wish(statement, claims, scope, config) else statement.category
    ahead = coming(claims, min(happens, now))
    day, event_time = ahead or (None, happens)
    draft = Draft(
        type=statement.type,
        **_analysed(content, subject),
        fingerprint=fingerprint(content),
        scope=scope,
        event_time=event_time,
        confidence=CONFIDENCE_OF_SOURCE[statement.source],
        decay_rate=config.decay_rate_default,
        fades_at=None,
        anchored_at=now,
        trust=statement.trust,
        quarantined=False,
        source=statement.source,
        category=category,
        subject=subject,
        tags=clean_names(statement.tags),
        session_id=scope.session_id,
        importance=statement.importance,
        key=clean_key(statement.key),
        told=day,
        valid_from=min(happens, now) if ahead or statement.category == EVENT else happens,  # known before its day
        fills=fillings(content, claims) if statement.category != INSIGHT else (),
        claims=claims,
        relevant_to=clean_names(statement.relevant_to),
        derived_from=clean_names(statement.derived_from),
        contexts=clean_names(statement.contexts),
    )
    return lasting(quarantined(draft, config), now, config)


def is_assistants(trust: Trust, source: str, scope: Scope) -> bool:
    """Whether an assistant, or a source of less trust, stores a fact."""
    return scope.agent_id is not None or source == INFERRED or not is_users_word(trust)


def check_length(content: str) -> None:
    """Raise ``InvalidContent`` if a fact of an assistant is too short or too long."""
    length = len(content.strip())
    if not SHORTEST_FACT <= length <= LONGEST_FACT:
        problem = f"has {length:,} characters; what an assistant stores has {SHORTEST_FACT} to {LONGEST_FACT}"
        raise InvalidContent(problem=problem)


def _claims_of(statement: Statement, content: str, at: int) -> tuple[Claim, ...]:
    """The claims in the words of a statement; a conclusion and a how-to have none."""
    if statement.category == INSIGHT or statement.type == "procedural":
        return ()
    return clean_claims(claims_of(content, in_zone(from_ms(at)), statement.subject))


def _is_wish(statement: Statement, claims: Sequence[Claim], scope: Scope, config: Config) -> bool:
    """Whether the user tells on purpose, without a category, how assistants should work or answer, and nothing else."""
    if statement.source not in ON_PURPOSE or statement.category != config.usual_category:
        return False
    if not is_users_word(statement.trust) or INSTRUCTION not in (config.allowed(scope.agent_id) or config.categories):
        return False
    return bool(claims) and all(
        each.is_affirmed and each.subject == USER and predicate(each.predicate).category == INSTRUCTION
        for each in claims
    )


def correction(old: Node, right: Correction, sources: Sequence[Node], scope: Scope, now: int, config: Config) -> Draft:
    """The draft of the next version: the new content and perhaps category, everything else unchanged. It holds from
    when the wrong version held. The day of a plan goes with its words, that of an event only if the new words name one.
    The key stays with the first version.

    A turn of a conversation cannot be corrected (``NotCurrent``). A correction, or a source of it, with less trust than
    the memory is refused (``LessTrusted``); a user may correct what a person confirmed.
    """
    if old.type == "episodic":
        advice = "remember the right text as a statement, or forget the turn"
        raise NotCurrent(id=old.public_id, state="a turn of a conversation", advice=advice)
    category = right.category or old.category or config.usual_category
    said = min(old.event_time, old.valid_from)  # a plan was told before its day
    statement = Statement(
        right.content,
        old.type,
        category,
        old.subject,
        tuple(json.loads(old.tags)),
        from_ms(old.event_time if category == EVENT else said),
        "corrected",
        claims=right.claims,
    )
    statement = replace(statement, claims=right.claims or _claims_of(statement, right.content, said))
    if any(_NARROWING.index(each.visibility) > _NARROWING.index(old.visibility) for each in sources):
        expected = (
            f"some readers of the memory {old.public_id!r} do not see it; remember the right text in that place instead"
        )
        raise InvalidArgument(argument="rests_on", value=[each.public_id for each in sources], expected=expected)
    session_id = old.session_id if old.visibility == "session" else scope.session_id
    home = replace(
        scope, user_id=old.user_id, project_id=old.project_id, session_id=session_id, visibility=old.visibility
    )
    check_change(old.public_id, least(right.trust, trust_of_words(right.content, sources)), old.trust)
    draft = about_user(knowledge(replace(statement, trust=least(old.trust, "user")), home, now, config), sources)
    confidence = draft.confidence if right.confidence is None else right.confidence
    told = draft.told or (old.told if draft.event_time == old.event_time else None)
    return draft._replace(
        confidence=confidence,
        importance=old.importance,
        pinned=bool(old.pinned),
        told=told,
        valid_from=old.valid_from,
    )


def narrowed(scope: Scope, sources: Sequence[Node]) -> Scope:
    """The scope for a memory with these sources: as narrow as the narrowest of them."""
    return replace(
        scope, visibility=max(scope.visibility, *(each.visibility for each in sources), key=_NARROWING.index)
    )


def check_home(scope: Scope, session_id: str | None) -> None:
    """Raise ``InvalidArgument`` if nobody could ever see the memory, ``NotAdministrator`` if everybody could and the
    scope may not write that.
    """
    if not scope.user_id.strip():
        raise InvalidArgument(argument="user_id", value=scope.user_id, expected="give the name of a user")
    check_audience(scope, scope.visibility)
    if (scope.visibility == "project" and scope.project_id is None) or (
        scope.visibility == "session" and session_id is None
    ):
        expected = f"the scope has no {scope.visibility}_id; give it one, or another visibility"
        raise InvalidArgument(argument="visibility", value=scope.visibility, expected=expected)


def about_user(draft: Draft, sources: Sequence[Node], names: Collection[str] = ()) -> Draft:
    """In the claims of a statement, replace the user's name by the user: one of the known ``names``, or that of the
    speaker of the user's turns on which it rests.
    """
    speakers = {source.speaker for source in sources if source.role == "user" and source.speaker}
    own = {*names, *(speakers if len(speakers) == 1 else ())}
    if not own or draft.category == INSIGHT:
        return draft
    claims = clean_claims(draft.claims, own)
    return draft._replace(claims=claims, fills=fillings(draft.content, claims))


def trust_of_words(content: str, sources: Sequence[Node]) -> Trust:
    """The trust that turns give to a statement: that of their speakers' own words."""
    said = ((each, without_headings(each.content) if each.source == NOTES else each.content) for each in sources)
    return least("confirmed", *(trust_in(content, text, each.trust) for each, text in said))


def trusted_as(draft: Draft, sources: Sequence[Node], now: int, config: Config) -> Draft:
    """A derived draft gets the lowest trust of its sources, and lasts no longer than that trust allows."""
    trust = least(draft.trust, *(source.trust for source in sources))
    return lasting(quarantined(draft._replace(trust=trust), config), now, config)


def _analysed(content: str, who: str | None) -> _Analysed:
    found = terms(content)
    return {
        "content": content,
        "terms": " ".join(found),
        "who": stemmed_name(who) if who else "",
        "term_count": len(found),
        "asks": "?" in content or "？" in content or "؟" in content,
    }
