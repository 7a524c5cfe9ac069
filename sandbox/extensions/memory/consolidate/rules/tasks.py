"""What a turn asks for this once, a piece of work or a part to play: what it says of the answer is for that answer, and
no standing wish. English and Russian. Pure.
"""

import re

_LONG = 100  # words; a turn that is longer gives something to work on
_OPENING = (
    r"(?:^|[.!?\n;]\s*|\b(?:and|then)\s+)(?:(?:please|pls|hey|hi|hello|ok|okay|so|and|now|next|then|also|just|first"
    r"|great|thanks|perfect|(?:can|could|would|will) you|help me|i (?:need|want|would like) you to)[\s,!.]+)*"
)
_VERB = (
    r"(?:write|draft|compose|create|generate|produce|make|design|invent|describe|explain|summari[sz]e|outline|list|suggest"
    r"|recommend|give|show|tell|find|fix|debug|implement|refactor|review|analy[sz]e|compare|convert|translate|rewrite"
    r"|rephrase|proofread|edit|improve|complete|continue|calculate|solve|plan|prepare|fill in|identify|discuss|provide"
    r"|name|plot|draw|classify|extract|add|build|state)"
)
_SOME = (
    r"(?:an?|the|this|these|that|my|our|some|any|each|every|two|three|four|five|ten|\d+|more|another|what|why|who"
    r"|whether)"
)
_WORK = re.compile(
    rf"{_OPENING}(?:{_VERB}(?: (?:me|us|out|up|down|about|for me|again))* {_SOME}\b"
    r"|come up with|here (?:is|are) (?:the|my|an?|some)\b|(?:the )?following\b)",
    re.IGNORECASE,
)
_WORK_RU = re.compile(
    r"(?:^|[.!?\n;]\s*)(?:(?:пожалуйста|привет|а|и|ну|можешь|теперь|ещё|еще|помоги|мне)[\s,]+)*"
    r"(?:напиш|состав|сочин|придума|созда|сгенериру|нарису|перечисл|подготов|сравн|реши|посчита|исправ|перевед|перепиш"
    r"|проанализиру|опиш|расскаж)(?:и|й|ь)(?:те)?\s+(?!как\b)[\w«\"]",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:pretend (?:to be|that|you)|act(?:ing)? as|role-?play|(?:play|stay in) (?:the|your) (?:role|part|character)"
    r"|imagine (?:that )?you(?: a|')re|you(?: a|')re (?:now |going to be )?an? (?!(?:bit|little|great|good|star)\b)"
    r"|your (?:task|role|job|goal) (?:is|will be)|I (?:will|'ll) (?:give|ask|provide|type|write|send) (?:you|your)"
    r"|my first (?:request|sentence|question|command)"
    r"|представь,? что ты|веди себя как|действуй как|сыграй роль|твоя задача)",
    re.IGNORECASE,
)
_THE_ANSWER = re.compile(r"\b(?:the|your) (?:answer|response|reply)\b", re.IGNORECASE)
_FOR_GOOD = re.compile(
    r"\b(?:always|never|from (?:now|here|today|this point) on|in (?:the )?future|going forward|by default|every time"
    r"|each time|whenever|henceforth|until further notice|at all times|as a rule|in general|any ?more|any longer|again"
    r"|ever|remember|instructions?|rules?|preferences?|answers|replies|responses|всегда|никогда|впредь|отныне"
    r"|с этого момента|с сегодняшнего дня|по умолчанию|каждый раз|в будущем|на будущее|больше|запомни|правил\w+"
    r"|ответы)\b",
    re.IGNORECASE,
)


def is_for_once(sentence: str, turn: str) -> bool:
    """Whether what a sentence asks of the answers is asked for what this turn wants done, and not for good. In a part
    that is to be played nothing is for good, whatever word stands there.
    """
    if _PART.search(turn):
        return True
    if _FOR_GOOD.search(sentence):
        return False
    return bool(
        _THE_ANSWER.search(sentence) or len(turn.split()) > _LONG or _WORK.search(turn) or _WORK_RU.search(turn)
    )
