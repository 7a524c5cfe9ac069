"""Whether an order is one for good, though no word for that is in it: it is about how to answer, not about a task; and
what it takes the place of. English. Pure.
"""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.statements import Said

_ONCE = re.compile(
    r"\b(?:if you understand|above|below|following|this time|for now|just (?:this )?once|today|tonight|right now"
    r"|for this one|yet|for the moment|(?:in|for|of) (?:this|that|the) \w+)\b",
    re.I,
)
_TASK = re.compile(
    r"^(?:write|give|add|include|put|start|explain|make|create|show|answer|format|cite|talk|say|tell|update|skip|use"
    r"|describe|state)(?: me)? (?:the|this|these|some|any|my|about"
    r"|an? (?!(?:formal|informal|friendly|casual|neutral|short|polite)\b))"
    r"|^(?:convert|translate|round|format|spell|express) (?:\d|my\b)"
    r"|^(?:write|give|make|create|show|tell)(?: me)? (?:a|an|one|two|three|\d+|some)\b",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"^(?:be (?:(?:more|very|always|as|a bit|completely|brutally) )*(?:concise|brief|blunt|direct|honest|formal"
    r"|informal|polite|friendly|critical|strict|frank|straightforward|succinct|terse|humorous|serious|professional"
    r"|casual|precise|neutral|objective|thorough|detailed|gentle|sarcastic)\b|(?:address|treat|speak to"
    r"|talk to|write to|refer to) me (?:\w+ly|as|like|in|by|with)\b|(?:explain|describe|phrase|present|teach me"
    r"|show me) (?:things|everything|concepts|ideas|terms|code|problems|stuff|maths)\b|(?:default|stick) to (?!the\b"
    r"|this\b|that\b|it\b)|use the (?:metric|imperial|oxford|24-hour|12-hour|passive|active|present|past|formal"
    r"|informal) |use (?:simple|plain|short|easy|everyday) (?:words|language|terms|sentences)\b|use my (?:first|last"
    r"|full|middle|sur) ?name\b|(?:ask|check with|confirm with|warn"
    r"|tell|consult|notify) me (?:first )?before (?:you|\w+ing)\b(?!.*\b(?:this|that|it|the)\b)|get (?:straight "
    r"|right )*to the point|keep (?:it"
    r"|things) (?:short|brief|simple|concise|light|formal|professional)|(?:skip|drop|cut|omit|leave out"
    r"|spare me) the (?:disclaimers?|pleasantries|small talk|apologies|flattery|intro\w*|preambles?|summary"
    r"|summaries|jargon|emojis?|fluff|warnings?|caveats?|chit-?chat|niceties))",
    re.IGNORECASE,
)
_TOOLS = re.compile(
    r"^(?:use|run|write|name|test with|build with|install with|format with) "
    r"(?!(?:the|an?|it|this|that|my|your|these)\b)[\w.+/-]+(?: for [a-z]+)?"
    r",? (?:not|never|instead of|rather than) [\w.+/-]+$",
    re.IGNORECASE,
)
_TOOL_HERE = re.compile(
    r"^(?P<use>use (?!(?:the|an?|it|this|that|my|your|these)\b)[\w.+/-]+(?: for [a-z]+)?)"
    r" (?:here|in this (?:repo|project|codebase))(?P<not>,? (?:not|never|instead of|rather than) [\w.+/-]+)?$",
    re.IGNORECASE,
)
_HANDS_OFF = re.compile(
    r"^(?:touch|edit|modify|change|delete|remove|format|rename|commit|overwrite) (?:anything|any(?: of)?|files?|code"
    r"|the (?:generated|vendored|legacy|auto-?generated|third-party|lock)\b|[\w.*-]*/)",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"^(?:round|spell|express|capitalise|capitalize|abbreviate|convert|format|write|give|show|state|use|quote|list"
    r"|display|report) (?:me )?(?:all )?(?:\d+-hour |whole |exact )?(?:dates|prices|amounts|temperatures|distances"
    r"|times|currencies|sums|numbers|names|units|measurements|weights|lengths)\b(?!.*\b(?:the|this|these|that)\b)",
    re.IGNORECASE,
)
_YOURS = re.compile(
    r"\byour (?:answers|replies|responses|suggestions|examples|explanations|code|messages|mails|texts|sources)\b", re.I
)
_DEFINITE = re.compile(
    r"\b(?:the (?!words?\b|phrases?\b|terms?\b)|this|that|these|those|it|him|her|them|here|there|yet"
    r"|my (?!questions?\b|name\b|first\b|\w+s\b"
    r"|words\b))\b",
    re.I,
)
_DONE_AGAIN = re.compile(
    r"^(?:adding|including|putting|appending|ending|starting|saying|mentioning|suggesting|asking)\b"
)
_THIS = re.compile(r"\b(?:this|that|these|those|it|him|her|them|here|there|yet|to the|in the|for the)\b", re.I)
_SOOTHING = re.compile(
    r"^(?:tell|worry|forget|mind|bother|know|think|get|panic|be|do|let|have|try|want|need|like|look|go|hesitate)\b"
)


def is_standing(what: str, *, forbids: bool, text: str) -> bool:
    """Whether ``what`` shall be done, or never be done, from now on; ``text`` is the whole of what was said."""
    if is_once(text):
        return False
    if (
        _MANNER.match(what)
        or _FIGURES.match(what)
        or _TOOLS.match(what)
        or (forbids and _HANDS_OFF.match(what))
        or (_YOURS.search(what) and not _TASK.match(what))
    ):
        return True
    if forbids and _DONE_AGAIN.match(what) and not _THIS.search(what):
        return True
    if forbids and _DEFINITE.search(what) is None and _SOOTHING.match(what) is None:
        return True
    return _is_about_answers(what) and not _TASK.match(what)


def is_once(text: str) -> bool:
    """Whether it is said that it is for this time only."""
    return bool(_ONCE.search(text))


def _is_about_answers(what: str) -> bool:
    words = re.findall(r"[a-z]+", what.lower())
    return (bool(words) and not words_of.STYLE.isdisjoint(words[1:])) or (
        words[:1] in (["answer"], ["reply"], ["respond"]) and words[1:2] in (["in"], ["briefly"], ["with"])
    )


_LEADS = r"^(?:(?:and|also|but|ok|please|pls|so),? )*"
_FROM_NOW = r"(?:from now on|going forward|in (?:the )?future|always|by default)"
_END = rf"(?:,? (?:please|pls|thanks|{_FROM_NOW}))*[\s.!]*$"
_ANSWERS = r"(?:answers|replies|responses|explanations|summaries|sentences|paragraphs)"
_SHOWN = (
    rf"(?:(?:(?:code |all )?(?:samples|examples|snippets)|{_ANSWERS}|docstrings) (?:always )?(?:in|as|without|under)"
    r"|(?:dates|times|prices|amounts|temperatures|distances|measurements|weights) (?:always )?"
    r"(?:in(?= (?-i:[a-z]|[A-Z]{2}|Celsius|Fahrenheit))|as|without))"
)
_KIND_OF = r"(?:concise|detailed|verbose|formal|casual|technical|direct|specific)"
_FRILLS = (
    r"emojis?|explanations?|summar(?:y|ies)|disclaimers?|tables|bullet points|bullets|headings|apolog(?:y|ies)|filler"
    r"|preambles?|pleasantries|hashtags|analogies|caveats|warnings|intros?|outros?|follow-up questions"
)
_LIKE = r"(?!(?:the|this|that|these|my|your|our|which)\b|\d)[\w+#.-]+"
_IN_OTHER_WORDS = (
    (
        re.compile(
            rf"{_LEADS}(?={_SHOWN} {_LIKE}(?: (?!(?:is|are|was|were|has|have|do|look"
            rf"|looks|take|need|seem|help|for)\b){_LIKE}){{0,2}}"
            rf"(?:,? (?:not|never|rather than|instead of) {_LIKE})?{_END})",
            re.I,
        ),
        "always give ",
    ),
    (
        re.compile(rf"{_LEADS}(?=(?:shorter|longer|briefer|simpler|(?:more|less) {_KIND_OF}) {_ANSWERS}{_END})", re.I),
        "always give ",
    ),
    (
        re.compile(
            rf"{_LEADS}(?=(?:less|fewer) (?:{'|'.join(sorted(words_of.STYLE))})(?:, | )"
            rf"(?:please|pls|{_FROM_NOW}){_END})",
            re.I,
        ),
        "always use ",
    ),
    (re.compile(rf"{_LEADS}(?=(?:(?:more|less) {_KIND_OF}|briefer),? (?:please,? )?{_FROM_NOW}{_END})", re.I), "be "),
    (
        re.compile(
            r"^(?=(?:tabs|spaces|(?:single|double) quotes|snake_case|camelCase|kebab-case|metric|imperial|celsius"
            r"|fahrenheit), (?:not|never) [\w-]+(?: [\w-]+)?$)",
            re.I,
        ),
        "always use ",
    ),
    (re.compile(r"^(?:would|do) you mind not ", re.I), "stop "),
    (re.compile(r"^(?:there is )?no need for ", re.I), "no "),
    (re.compile(rf"{_LEADS}no more (?=(?:\w+ )?(?:{_FRILLS})\b)", re.I), "no "),
    (
        re.compile(
            rf"^I (?:do not|never) (?:want|need|like)(?: to see)?(?: any| the)? (?=(?:\w+ )?(?:{_FRILLS})\b)", re.I
        ),
        "no ",
    ),
    (
        re.compile(
            r"^(?=(?:british|american|uk|us|metric|imperial|24-hour|12-hour) (?:spelling|english|units|format|time"
            r"|dates)"
            r"(?: only)?,? (?:please|pls|always|only)$)",
            re.I,
        ),
        "always use ",
    ),
    (
        re.compile(
            rf"^(?=(?:short|brief|concise|long|detailed|plain|simple) {_ANSWERS}(?: only)?,? (?:please|pls|only"
            rf"|always)$)",
            re.I,
        ),
        "give ",
    ),
    (
        re.compile(r"^I (?:really )?(?:hate|dislike|do not like|can not stand)(?: it)? (?:when|if|that) you ", re.I),
        "never ",
    ),
    (re.compile(r"^I (?:really )?(?:like|love|appreciate|prefer)(?: it)? (?:when|if|that) you ", re.I), "always "),
    (re.compile(r"^(?:please )?(?:make it a habit|get into the habit|it is important)(?: of| to) ", re.I), "always "),
    (
        re.compile(r"^(?=(?:answers|replies|responses|explanations|examples) (?:in|as|with|without|under) )", re.I),
        "give ",
    ),
    (re.compile(r"^I (?:do not|never) (?:want|need|like)(?: to see)?(?: any)? (?=[\w -]+ in your )", re.I), "no "),
)


_HOPED = re.compile(
    r"^I would (?:really )?(?:love|like|prefer|appreciate|rather)(?: it)?(?: if)? you (?P<verb>[a-z]+)(?= )", re.I
)
_PAST = {"kept": "keep", "wrote": "write", "gave": "give", "spoke": "speak", "told": "tell", "made": "make"}


def _present(past: str) -> str:
    """``used``: use; empty where it is no past of what an assistant does."""
    bases = (_PAST.get(past, ""), past.removesuffix("ed"), past.removesuffix("d"))
    return next((base for base in bases if base != past and base in verbs_of.IMPERATIVES), "")


def as_order(text: str) -> str:
    """``I hate it when you repeat my question``: never repeat my question."""
    if (hoped := _HOPED.match(text)) and (base := _present(hoped["verb"].lower())):
        return f"always {base}{text[hoped.end() :]}"
    if tool := _TOOL_HERE.match(text):
        return f"always {tool['use']}{tool['not'] or ''}"
    for said, meant in _IN_OTHER_WORDS:
        if match := said.match(text):
            rest = text[match.end() :]
            return f"{meant}{rest[:1].lower()}{rest[1:]}"
    return text


_ADDED = re.compile(
    r"(?:add|use|include|put|append|insert|write|give|end with|start with|begin with) (?:the |an? |any "
    r"|the assistant's )?"
    r"(?P<thing>[\w-]+(?: [\w-]+)?)$"
)
_OPPOSITES = (
    ("tabs", "spaces"), ("metric", "imperial"), ("formal", "informal"), ("short", "long"), ("short", "detailed"),
    ("brief", "detailed"), ("concise", "detailed"), ("british", "american"), ("celsius", "fahrenheit"),
    ("kilometers", "miles"), ("kilograms", "pounds"), ("uppercase", "lowercase"), ("single", "double"),
    ("dark", "light"), ("12-hour", "24-hour"), ("bullet points", "paragraphs"), ("first", "last"),
)  # fmt: skip
_LANGUAGES = (
    "English", "French", "German", "Spanish", "Italian", "Portuguese", "Russian", "Dutch", "Polish", "Japanese",
    "Chinese", "Swedish",
)  # fmt: skip


def ended(said: Said, what: str, *, forbids: bool) -> Iterator[Replaced]:
    """What was asked before and cannot be done beside it: the opposite, another language, what it shall replace."""
    name = said.subject.name
    yield Replaced("change", statement=f"{name} asks to {'always' if forbids else 'never'} {what}.")
    if forbids:
        if thing := _ADDED.match(what):
            yield Replaced("change", statement=f"{name} asks to always {thing['thing']}.")
        return
    if match := re.search(
        r"(?P<new>[\w-]+)(?P<for> .*?)? (?:instead of|rather than|and not|not) (?P<old>[\w-]+)$", what
    ):
        verb = what.split(" ", 1)[0]
        yield Replaced("change", statement=f"{name} asks to always {verb} {match['old']}.")
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if re.search(rf"\b{one}\b", what, re.I) and other not in what.lower():
                yield Replaced("change", statement=f"{name} asks to always {re.sub(one, other, what, flags=re.I)}.")
    language = re.match(r"(?:\w+)(?: [\w ]+)? in (?P<one>[A-Z][a-z]+)$", what)
    if language and language["one"] in _LANGUAGES:
        for each in _LANGUAGES:
            if each != language["one"]:
                yield Replaced("change", statement=f"{name} asks to always {what.replace(language['one'], each)}.")
