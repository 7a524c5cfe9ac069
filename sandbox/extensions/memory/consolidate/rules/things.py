"""What something of the speaker's is, and when it is to be. English. Pure."""

import re
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules import subjects
from sandbox.extensions.memory.consolidate.rules.clauses import PERSON, PLAN, PROJECT, Clause, name_in, no_passing
from sandbox.extensions.memory.consolidate.rules.contacts import ADDRESS
from sandbox.extensions.memory.consolidate.rules.projects import LASTING_STATE, is_setting
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.values import dated


def of_thing(clause: Clause, negated: bool) -> Said:
    """``My favourite colour is green``, ``the deadline is 3 May``."""
    nouns = re.split(r" (?:to|in|with|for|at|of|on) ", clause.about.name.lower())[0].split()
    noun = nouns[-1]
    raw = clause.after(clause.at)
    if not negated and (address := ADDRESS.match(raw)):
        return clause.said("is", address[0].rstrip(".,;"), Kind("fact", 4))
    if noun == "pronouns" and (pronouns := re.match(r"\w+(?:/\w+)+", raw)):
        return clause.said("are", pronouns[0].lower(), Kind("fact", 5))
    said, at = clause.value(clause.at), None
    if clause.about.name[:1].isupper() and " " not in clause.about.name and LASTING_STATE.match(said) and not negated:
        return clause.said("are" if clause.about.plural else "is", said, PROJECT)
    if noun in words_of.HAPPENINGS | {"deadline", "launch", "release"} and noun not in ("birthday", "anniversary"):
        said, at = dated(said, clause.setting, ahead=True)
        if at:
            return clause.said(
                "is scheduled for",
                re.sub(r"^(?:scheduled |due |planned |set )?(?:on|for|in|by)\b ?", "", said),
                PLAN,
                at,
            )
    described = not {"favorite", "favourite", "preferred", "native", "best", "first"}.isdisjoint(nouns)
    is_value = described or noun in words_of.ATTRIBUTES
    if (
        not said
        or negated
        or not (
            is_value
            or (clause.setting.to_assistant and (LASTING_STATE.match(said) or is_setting(noun, said)))
            or re.match(
                r"(?:an?|in|on|at|from|made|based|hosted|written|deployed|built|called|named|due)\b|\d|[A-Z]"
                if noun in subjects.NOUNS
                else _OF_ANY,
                said,
            )
        )
    ):
        raise NotLearnt("passing state")
    if said.split()[0].lower() in ("so", "very", "great", "amazing", "important", "not"):
        raise NotLearnt("passing state")
    no_passing(said)
    if noun == "name" and len(nouns) > 3 and nouns[-2].endswith("'s"):
        owner = replace(clause.about, name=clause.about.name.rsplit("'s ", 1)[0])
        return Said(owner, "is called", name_in(said), PERSON)
    if noun == "name":
        said = name_in(said)
    kind = Kind("preference", 3) if described else Kind("fact", 4) if noun in words_of.ATTRIBUTES else PROJECT
    are = clause.about.plural or any(word.low == "are" for word in clause.words[: clause.at])
    return clause.said("are" if are else "is", said, kind)


_OF_ANY = (
    r"(?:from [A-Z]|made (?:in|by|of)|based (?:in|on)|called [A-Z]|named [A-Z]"
    r"|in [\w-]+[/.]\w|in [A-Z]|[A-Z][\w-]+(?: [A-Z\d][\w.-]*)*$|\d+(?:[.,]\d+)? ?[a-z%€$])"
)
