"""English verbs, each to what reads it: the way from a clause to its statements. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules.being import is_, was
from sandbox.extensions.memory.consolidate.rules.clauses import Clause, Rule
from sandbox.extensions.memory.consolidate.rules.happening import happened, stopped, used_to
from sandbox.extensions.memory.consolidate.rules.having import has
from sandbox.extensions.memory.consolidate.rules.holding import can, does, holds
from sandbox.extensions.memory.consolidate.rules.opinions import rather, thinks
from sandbox.extensions.memory.consolidate.rules.planning import intends, is_scheduled, scheduled, will
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.wordforms import grammar, lookup


def statements(clause: Clause) -> Iterator[Said]:
    """What a clause says; NotLearnt where that is nothing lasting."""
    clause = clause.without_adverbs()
    word = clause.low()
    if re.search(r"\b(?:anymore|any more|any longer)\b", clause.text):
        clause = replace(clause, ended=True)
    rule = _BY_VERB.get(word)
    if rule is not None:
        yield from rule(clause)
    elif is_scheduled(clause):
        yield scheduled(clause)
    elif (found := lookup(grammar().events, clause.words, clause.at)) and not clause.ended:
        yield from happened(clause, *found)
    else:
        yield from holds(clause)


def _hypothetical(_: Clause) -> Iterator[Said]:
    raise NotLearnt("hypothetical")


_BY_VERB: dict[str, Rule] = {
    **dict.fromkeys(("am", "is", "are"), is_),
    **dict.fromkeys(("was", "were"), was),
    **dict.fromkeys(("have", "has"), has),
    **dict.fromkeys(("do", "does"), does),
    "can": can,
    "used": used_to,
    **dict.fromkeys(("stopped", "ceased"), stopped),
    "will": will,
    **dict.fromkeys(("think", "thinks", "believe", "find", "reckon"), thinks),
    **dict.fromkeys(("plan", "plans", "want", "wants", "intend", "intends", "decided", "hope", "hopes"), intends),
    "would": rather,
    **dict.fromkeys(("could", "might", "may", "should", "must"), _hypothetical),
}
