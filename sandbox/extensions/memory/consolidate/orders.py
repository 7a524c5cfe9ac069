"""Whether somebody tells the assistant what to do, in words of their own: only such words make a standing wish.

What an imperative is depends on the language: English and Russian are read, of others it is not told apart. Pure.
"""

import re
from functools import cache
from typing import Any

from sandbox.extensions.memory.text.words import fold

_QUOTED = re.compile(r"«[^«»]*»|[\"“„][^\"”“„]*[\"”“]|(?<!\w)['‘][^'’‘\n]{2,}['’](?!\w)")
_REPORTED = re.compile(  # somebody else's words follow, or somebody else gives the order
    r"(?<!\bi )\b(?:says?|said|reads|wrote|writes|told|tells|claims?|according to|asked (?:me|us)"
    r"|говорит|сказал\w*|пишет|написал\w*|написано|просит|попросил\w*|велел\w*)\b"
)
_CLAUSES = re.compile(r"[.!?…;,:\n()—–]+|\s-\s|\b(?:and|but|then|so|и|а|но|то)\b")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BEFORE = frozenset(  # what an order may begin with
    """
    please pls kindly just also ok okay hey hi now next instead always never only from on now here in future going
    forward by default at all times henceforth i'd prefer пожалуйста просто еще теперь впредь всегда никогда только
    больше отныне с этого момента в дальнейшем по умолчанию лучше не
    """.split()
)
_ORDERS = frozenset(
    """
    always never don't stop no answer reply respond use avoid call write keep be give speak talk address remember let
    format show explain start end finish add include skip translate tell ask remind check run commit push put prefer
    refer treat assume follow wait send say make do go leave drop quit cut omit limit stick try suggest mention cite
    quote summarize summarise sum highlight return output print name number list note ignore forget confirm mind
    всегда никогда не нельзя только больше без
    """.split()
)
_WISHES = re.compile(
    r"\b(?:please|i(?:'d| would)? (?:want|like|love|prefer|need|expect|hate|appreciate|wish)|we (?:want|prefer|need)"
    r"|(?:can|could|would|will) you|you (?:should|must|need|can|may|shouldn't|mustn't|don't|are|have to)"
    r"|short(?:er)? answers|from now on|in future|no more|пожалуйста|хочу|хотел\w*|прошу|нужно|надо|давай(?:те)?|можешь"
    r"|можете|предпочитаю|люблю|не люблю|отныне|впредь|чтобы ты|чтобы вы)\b"
)


def gives_order(text: str) -> bool:
    """Whether a turn tells its listener what to do or how, outside of what it quotes."""
    own = fold(_QUOTED.sub(" ", text))
    sentences = [each for each in re.split(r"[.!?…\n]+", own) if each.strip() and not _REPORTED.search(each)]
    if not _is_read(own):
        return bool(sentences)
    return any(_WISHES.search(each) or any(map(_begins_with_order, _CLAUSES.split(each))) for each in sentences)


def _is_read(text: str) -> bool:
    """Whether it is in a language whose orders are known."""
    return bool(re.search(r"[а-я]", text)) or not _ENGLISH.isdisjoint(_WORD.findall(text))


_ENGLISH = frozenset("the to of and is it i you my me in for with not don't no a always never please that this".split())


def _begins_with_order(clause: str) -> bool:
    words = _WORD.findall(clause)
    while words and words[0] in _BEFORE - _ORDERS:
        words.pop(0)
    if not words:
        return False
    return words[0] in _ORDERS or (words[0][0] >= "а" and any(map(_is_imperative, words[:2])))


def _is_imperative(word: str) -> bool:
    """Whether a Russian word is most likely a verb's imperative."""
    return "impr" in _morphology().parse(word)[0].tag


@cache
def _morphology() -> Any:
    from pymorphy3 import MorphAnalyzer  # which takes time to load

    return MorphAnalyzer()
