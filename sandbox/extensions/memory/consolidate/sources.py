"""Find out whose word a statement of a session is: it has as much trust as the least trusted of its sources. Pure."""

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

from sandbox.extensions.memory.authority import is_users_word, may_change
from sandbox.extensions.memory.consolidate.constraints import sentences
from sandbox.extensions.memory.consolidate.extraction import ProposedStatement, Turn
from sandbox.extensions.memory.consolidate.support import FEW, says, support
from sandbox.extensions.memory.store.rows import INSTRUCTION, Node
from sandbox.extensions.memory.text.words import terms
from sandbox.support.trust import least


def told_by(
    proposal: ProposedStatement, cited: Sequence[Node], turns: Mapping[str, Node], read: Mapping[str, Turn]
) -> Sequence[Node]:
    """The turns whose word a statement is, among those that it cites. Where the user answers a question of the
    assistant, the answer is the user's: the question tells nothing, and only says what is spoken of. A standing wish is
    in no question. ``turns`` are all of the session by public id, ``read`` the same as readers see them.
    """
    own = [turn for turn in cited if is_users_word(turn.trust)]
    names = [name for each in proposal.mentions for name in (each.name, *each.aliases)]
    answers = [read[turn.public_id] for turn in own]
    if proposal.category == INSTRUCTION or support(proposal.content, answers, names) < FEW:
        return cited
    following = dict(pairwise(turns))
    said, proposed = {word for turn in own for word in turn.terms.split()}, set(terms(proposal.content))

    def only_asks(turn: Node) -> bool:
        is_answered = following.get(turn.public_id) in {each.public_id for each in own}
        stated = (part for part in sentences(turn.content) if not part.endswith("?"))
        return turn.role == "assistant" and is_answered and proposed.isdisjoint({*terms(" ".join(stated))} - said)

    return [turn for turn in cited if not only_asks(turn)]


def worded_by(
    proposal: ProposedStatement, cited: Sequence[Node], turns: Mapping[str, Node], read: Mapping[str, Turn]
) -> tuple[Node, ...]:
    """A turn with more words of a statement than the turns a model cites for it, and with less trust; none if the user
    says the statement, too. ``turns`` and ``read`` are as in ``told_by``.
    """
    wanted, trust = set(terms(proposal.content)), least(*(turn.trust for turn in cited))
    said = len(wanted.intersection(chain(*(turn.terms.split() for turn in cited))))
    words = {turn: len(wanted.intersection(turn.terms.split())) for turn in turns.values()}
    less = [turn for turn, count in words.items() if count > said and not may_change(turn.trust, trust)]
    said_by = (read[turn.public_id] for turn in cited if turn.role == "user")
    if less and any(says(turn, proposal.content) for turn in said_by):
        return ()
    return tuple(sorted(less, key=lambda turn: -words[turn])[:1])
