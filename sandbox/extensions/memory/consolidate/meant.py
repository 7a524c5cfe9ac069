"""Which known memories are meant by a statement that says in words what no longer holds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.ingest.conflicts.claims import read
from sandbox.extensions.memory.ingest.settle import may_be_same_subject
from sandbox.extensions.memory.store import entities, nodes
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.extensions.memory.text.words import name_key, statement_words, stem, terms

_TYPES = ("semantic", "opinion", "procedural")
_LOOKED_AT = 60  # statements with all the words of what no longer holds
_MORE_WORDS = 3  # that such a statement may have beyond those
_BESIDE = 3  # words between a verb and the value it has: an article, an adjective, a maker's name
_JOINING = frozenset("and or и или for with without instead для без вместо".split())


def meant(tx: Transaction, replaced: Replaced, draft: Draft) -> list[Node]:
    """What is known in the words of a statement, or in those and a few more; by its verb and value, where it names
    these. ``draft`` is the statement that takes its place: what that says itself is not meant.
    """
    about = draft if replaced.subject is None else draft._replace(subject=replaced.subject)
    found = _of(tx, replaced, about)
    for name in _other_names(tx, about) if not found else ():
        said = (replaced.statement or "").replace(about.subject or "", name)
        found += _of(tx, replace(replaced, statement=said), about._replace(subject=name))
    return [node for node in found if node.fingerprint != draft.fingerprint]


def _of(tx: Transaction, replaced: Replaced, about: Draft) -> list[Node]:
    found = _by_verb(tx, replaced, about) if replaced.verbs else _in_words(tx, replaced.statement or "", about)
    return [node for node in found if may_be_same_subject(about, node)]


def _other_names(tx: Transaction, about: Draft) -> list[str]:
    """What whom a statement is about is called besides, where that is one person."""
    if not about.subject:
        return []
    key = name_key(about.subject)
    bearing = entities.named(tx.connection, about.scope, [key]).get(key, [])
    names = entities.aliases(tx.connection, bearing[0]) if len(bearing) == 1 else []
    return [name for name in names if name_key(name) != key]


def _in_words(tx: Transaction, text: str, about: Draft) -> list[Node]:
    wanted, reading = terms(text), read(text)
    return [
        node
        for node in _having(tx, about, wanted, ())
        if len(terms(node.content)) <= len(wanted) + _MORE_WORDS and read(node.content).negated == reading.negated
    ]


def _by_verb(tx: Transaction, replaced: Replaced, about: Draft) -> list[Node]:
    """Any number that name the value; without one, whatever follows the verb, if that is one thing."""
    every = terms(f"{replaced.statement or ''} {replaced.value}")
    some = [terms(verb) for verb in replaced.verbs]
    having = _having(tx, about, every, [term for each in some for term in each] if all(some) else ())
    found = [node for node in having if node.stands(tx.now) and _says(node.content, replaced)]
    return found if replaced.value or len(found) < 2 else []


def _having(tx: Transaction, about: Draft, every: Sequence[str], some: Iterable[str]) -> list[Node]:
    if not every and not some:
        return []
    return nodes.claiming(tx.connection, about, tx.now, [(every, tuple(some))], _LOOKED_AT, _TYPES)


def _says(content: str, replaced: Replaced) -> bool:
    """Whether a verb with the value behind it is what a statement says, and nothing else."""
    if read(content).negated:
        return False
    words, wanted = _stems(content), _stems(replaced.value)
    for verb in map(_stems, replaced.verbs):
        for start in range(len(words) - len(verb) + 1):
            after = words[start + len(verb) :]
            if words[start : start + len(verb)] == verb and (not wanted or _is_value(after, wanted)):
                return True
    return False


def _is_value(after: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether a value stands behind a verb, alone."""
    for start in range(_BESIDE + 1):
        end = start + len(wanted)
        if after[start:end] == wanted:
            return _JOINING.isdisjoint(after[:start]) and after[end : end + 1] not in (["and"], ["or"], ["и"], ["или"])
    return False


def _stems(text: str) -> list[str]:
    return [stem(word) for word in statement_words(text)]
