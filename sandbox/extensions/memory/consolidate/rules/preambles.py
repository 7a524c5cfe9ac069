"""What a sentence begins with before a colon, where that only announces what follows: ``One thing: I don't drive``,
``Планы поменялись: в июле мы едем в Сочи``. Pure."""

import re

_SUBJECT = (
    r"(?:(?:the|this|every|all|all the) [\w-]+ |I(?:'m|'ve)? |we(?:'re|'ve)? |he |she |my |our |(?-i:[A-Z][\w'-]+ )"
    r"(?:(?-i:[A-Z][\w'-]+ ))?(?:is|was|has|are|runs|uses|lives|works|stands|means|and)\b)"
)
_LEAD = re.compile(
    rf"^(?P<lead>[^:,\"]{{2,50}}(?:,[^:,\"]{{2,30}})?): (?=(?:[\w']+ ){{0,2}}?{_SUBJECT})", re.IGNORECASE
)
_LEAD_RU = re.compile(
    r"^(?P<lead>[^:\"«]{2,50}): "
    r"(?=(?:[\w-]+ ){0,3}?(?:я|мы|у (?:меня|нас)|меня|мне|нам|нас|мо[йяеёю]\w*|мои\w*|наш\w*)\b)",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:(?:says?|said|told|tells|wrote|writes|asked|claims?|claimed|texted|replied|goes|went|joked?"
    r"|thinks?|thought|announced|insists|insisted|shouted|answered|sang|sings|reads?)|quotes?|imagine|suppose|pretend|if|"
    r"example|e\.g|instance|lyrics|title|prompt|story|character|translate|joke|hypothetical\w*|scenario|dream|"
    r"dreamt|dreamed|text|message|song|poem|film|movie|book|he|she|they|someone|somebody|people)\b",
    re.IGNORECASE,
)
_OF_OTHERS_RU = re.compile(
    r"\b(?:(?:говори|сказа|заяви|пиш|написа|спроси|ответи|крич|утвержда|счита|дума|шути|пошути|объяви|призна|поё)\w*"
    r"|цитат\w*|представь\w*|допустим|если|например|пример\w*|текст\w*|перевед\w*|фраз\w*|слова\w*|песн\w*|роль|сон|анекдот"
    r"|шутк\w*|он|она|они|кто-то)\b",
    re.IGNORECASE,
)
_OWN_SAYING = re.compile(
    r"\b(?:I|we)(?: (?:should|have|had|never|forgot|to|wanted|may|might|must|can|did|not|just|already|also|ought"
    r"|would|like|told|once|n't))* (?:say|said|tell|told|mention(?:ed)?|write|written|wrote|add|note|repeat|admit"
    r"|confess)(?: (?:you|this|that|before|it))*\b|\b(?:since|as|because|if) (?:you|someone|anyone) (?:asked|ask"
    r"|wondered?|said)\b|\bif I may\b|\b(?:забыл[аи]?|хо(?:чу|тел[аи]?)|надо|стоит|долж(?:ен|на)|могу|пора"
    r"|не) (?:было )?(?:сказать|написать|говорил[аи]?|признаться|объявить)\b|\b(?:скажу|пишу|признаюсь|говорю"
    r"|объявляю)\b",
    re.IGNORECASE,
)
_RIGHTING = re.compile(
    r"^(?:(?:oh|sorry|ah|well|and|but|so|ok),? )*(?:correction|typo|edit|(?:my )?mistake|i meant|i mean|erratum|scratch"
    r"|поправ|ошиб|исправ|точнее|опечат|вернее)",
    re.IGNORECASE,
)


def without(sentence: str) -> str:
    """A sentence without what only announces it; empty where that says that others say it, or nobody does."""
    if ": " not in sentence:
        return sentence
    match = _LEAD.match(sentence) or _LEAD_RU.match(sentence)
    if match is None or _RIGHTING.match(sentence):
        return sentence
    lead = _OWN_SAYING.sub("", match["lead"])
    of_others = _OF_OTHERS.search(lead) or _OF_OTHERS_RU.search(lead)
    return "" if of_others else sentence[match.end() :]
