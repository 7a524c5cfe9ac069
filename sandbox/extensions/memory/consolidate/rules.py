"""Learning without a model: make proposals of the claims in a session's turns. Pure.

``parse/`` reads. This module decides who speaks for themselves, how much a turn may teach, and the kind of the
knowledge.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sandbox.extensions.memory.claims import predicate
from sandbox.extensions.memory.consolidate import mentions
from sandbox.extensions.memory.consolidate.extraction import (
    LONGEST,
    MOST_PER_TURN,
    Extraction,
    ProposedStatement,
    Turn,
    importance,
)
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.model import CognitiveType
from sandbox.extensions.memory.parse import Statement, clauses, read as parse
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.reader import code_of
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.words import fingerprint

_ASSISTANTS = frozenset(
    "assistant ai bot claude chatgpt gpt gemini copilot grok llama mistral codex cursor agent system model".split()
)
_SUMMARY = 160  # characters of a session's summary


def read(turns: Sequence[Turn], known: Mapping[str, str] | None = None, *, start: int = 0) -> Extraction:
    """What is learnt from the turns of one session from ``start`` on without a model: at most ``MOST_PER_TURN``
    statements each, none longer than ``LONGEST``. The turns before tell what the others mean. ``known`` are names of
    people told of before, with their relations. The same turns and names give the same extraction.
    """
    speaking = {turn.who: turn.speaker or "" for turn in turns if _speaks_for_themselves(turn)}
    to_assistant = len(speaking) < 2 and all(turn.is_to_assistant for turn in turns)
    said = [(turn.who, turn.text, turn.at) for turn in turns]
    found, changes, passed = parse(said, speaking, known, to_assistant=to_assistant)
    skipped = Counter({each: count for each, count in passed.items() if count and each[0] >= start})
    common = mentions.common([turn.text for turn in turns if turn.role != "system"])
    proposals: dict[bytes, ProposedStatement] = {}
    taught: Counter[str] = Counter()
    corrects: dict[str, str] = {}
    new = [each for each in found if each.number >= start]
    for statement in sorted(new, key=lambda each: (each.number, -importance(each.claims))):
        turn = turns[statement.number]
        key, reason = fingerprint(statement.content), _unfit(statement)
        if (same := proposals.get(key)) is not None and not reason:
            proposals[key] = replace(same, sources=tuple(dict.fromkeys((*same.sources, turn.id))))
        elif reason or taught[turn.id] >= MOST_PER_TURN:
            skipped[statement.number, reason or "too many"] += 1
        else:
            taught[turn.id] += 1
            proposal = _proposal(statement, turn)
            proposals[key] = proposal
            if wrong := statement.corrects:
                proposals[key] = replace(proposal, sources=tuple(dict.fromkeys((turns[wrong.number].id, turn.id))))
                if wrong.number < start:
                    corrects[proposal.content] = wrong.content
    own = (turn for turn in turns[start:] if _speaks_for_themselves(turn))
    named = {turn.id: names for turn in own if (names := mentions.found(turn.text, common))}
    reasons: Counter[str] = Counter()
    for (_, why), count in skipped.items():
        reasons[why] += count
    return Extraction(
        "rules",
        tuple(proposals.values()),
        named,
        dict(reasons),
        _summary(turns[start:]),
        different_names=mentions.different_names(turns[start:]),
        passed_over=tuple((turns[number].id, why) for number, why in skipped),
        changes=tuple((turns[each.number].id, each) for each in changes if each.number >= start),
        corrects=corrects,
    )


def _speaks_for_themselves(turn: Turn) -> bool:
    return turn.role == "user" or (
        turn.role == "assistant"
        and turn.speaker is not None
        and turn.speaker[:1].isupper()
        and " " not in turn.speaker.strip()
        and turn.speaker.lower() not in _ASSISTANTS
    )


def _unfit(statement: Statement) -> str:
    if len(statement.content) > LONGEST:
        return "too long"
    if "[secret:" in statement.content or secrets.find(statement.content):
        return "secret"
    return "question" if "?" in statement.content else ""


def _proposal(statement: Statement, turn: Turn) -> ProposedStatement:
    about, main = statement.subject, statement.claims[0]
    category = predicate(main.predicate).category
    if category == "fact" and not about.is_self:
        category = "project" if about.is_thing else "person"
    kind: CognitiveType = "opinion" if category == "preference" else "semantic"
    own = () if about.is_thing else (Mention(turn.who if about.is_self else about.name, "person"),)
    named = (Mention(name, mentions.kind_of(name)) for name in statement.names)
    # only the end of a wish, of which there is nothing to store
    takes_back = all(claim.predicate == "instruction" and not claim.is_affirmed for claim in statement.claims)
    return ProposedStatement(
        statement.content,
        (turn.id,),
        kind,
        category,
        None if about.is_thing else turn.who if about.is_self else about.name,
        importance(statement.claims),
        told=statement.told,
        until=turn.at if takes_back else statement.until,
        mentions=tuple({mention.name: mention for mention in (*named, *own)}.values()),
        claims=statement.claims,
    )


def _summary(turns: Sequence[Turn]) -> str | None:
    """The first question or statement of a person that is more than a greeting."""
    for turn in (turn for turn in turns if turn.role == "user"):
        language = language_of(code_of(turn.text))
        who = turn.speaker or language.times["self"]["nom"]
        for sentence in clauses.sentences(turn.text, language):
            if len(sentence.split()) > 3 and len(sentence) <= _SUMMARY and not secrets.find(sentence):
                said: str = language.times["asked" if "?" in sentence else "said"]
                return said.format(who=f"{who[:1].upper()}{who[1:]}", text=sentence)
    return None
