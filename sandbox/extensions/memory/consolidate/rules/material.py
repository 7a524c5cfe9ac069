"""What stands in a turn that is not said of its speaker: text to work on, long quotations, smileys. Pure."""

import re
from functools import lru_cache

_SMILEY = re.compile(
    r"(?P<before>[.!?…,]?)\s*(?:(?<![\w:])[:;=]['’]?[-^o]?[)(DPp3*|/\\]+(?![\w/])|<3|\^_?\^|(?<![\w:]):[-^]?[oOsS](?!\w))(?=\s|$|[.!?,])"
)
_QUOTING = frozenset('"“«„')
_SMILING = frozenset(":;=<^")
_BRACKETS = re.compile(r"(?<=[а-яё!?.])\s?(?:\)+|\(+)(?=\s|$)", re.IGNORECASE)  # Russian smiles with brackets alone
_SPACED = re.compile(r"(?<=\w) +(?=[,.!?](?:\s|$))")

_TEXT = (
    r"(?:text|essay|letter|cover letter|draft|message|paragraph|sentence|sentences|poem|story|lyrics|song|article"
    r"|dialogue|transcript|review|abstract|passage|caption|post|tweet|ad|script|summary|speech|monologue|bio|statement)"
)
_WORKS_ON = (
    r"translate|rewrite|rephrase|reword|paraphrase|proofread|summari[sz]e|shorten|edit|polish|improve|simplify"
    r"|spell-?check|analy[sz]e|punctuate|(?:correct|fix|check|review|convert|explain|transcribe|continue|complete"
    r"|finish|reply to|respond to|turn|make|put|say)(?: [\w'-]+){0,6}? (?:this|these|it|following|grammar|spelling"
    r"|text|sentence"
    rf"|into|in [A-Z]\w+|to [A-Z]\w+|{_TEXT})"
    r"|(?:write|draft|compose|send|create|generate|make up|invent)(?: me| us)?"
    rf" (?:an?|the|some|this)(?: [\w'-]+){{0,4}}? (?:e-?mail|mail|reply|note|card|role ?play|character|persona|{_TEXT})"
)
_TASK = re.compile(
    r"(?:^|[.!?\n]\s*)(?:(?:please|pls|hey|hi|hello|ok|okay|so|and|now|can|could|would|will|you|also|just|then"
    rf"|help me|i need you to|i want you to)[\s,]+)*(?:{_WORKS_ON})\b[^.!?:\n]{{0,80}}:(?:\s|$)",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    rf"\b(?:here(?: is|'s| are)|this is|below is) (?:my|the|an?|our|his|her|their)(?: [\w'-]+){{0,3}}? {_TEXT}"
    r"[^.!?:\n]{0,40}:(?:\s|$)",
    re.IGNORECASE,
)
_TEXT_RU = (
    r"(?:текст|письмо|сообщение|пост|абзац|предложение|предложения|стих|стихотворение|рассказ|сказк|песн|стать|отзыв"
    r"|сочинение|эссе|черновик|резюме|анкет|диалог|реплик|монолог|тост|объявлени|открытк)"
)
_TASK_RU = re.compile(
    r"(?:^|[.!?\n]\s*)(?:(?:пожалуйста|привет|а|и|ну|можешь|теперь|ещё|еще|помоги)[\s,]+)*"
    r"(?:(?:перевед|перепиш|перефразиру|отредактиру|сократ|вычита|перескаж|резюмиру|упрост|проанализиру|передела|улучш)\w*"
    r"|(?:исправ|провер|поправ|оформ|продолж|законч|объясн)\w*(?: [\w-]+){0,5}? (?:это|этот|эту|ошибк\w*|запяты\w*"
    rf"|грамматик\w*|{_TEXT_RU}\w*)|(?:напиш|состав|сочин|придума)\w* (?:[\w-]+ ){{0,3}}?{_TEXT_RU}\w*)"
    r"[^.!?:\n]{0,80}:(?:\s|$)",
    re.IGNORECASE,
)
_GIVEN_RU = re.compile(
    rf"\b(?:вот|это) (?:мо\w+ |наш\w* )?(?:[\w-]+ )?{_TEXT_RU}\w*[^.!?:\n]{{0,30}}:(?:\s|$)", re.IGNORECASE
)
_ROLE = re.compile(  # what is said of a part that is played, and a letter
    r"(?:^|[.!?\n]\s*)(?:(?:please|pls|hey|hi|hello|ok|now|so|and|i (?:want|need) you to|i(?:'d| would) like you to"
    r"|you (?:will|should|must)|(?:can|could) you|let's|let us)[\s,]+)*(?:act (?:as|like) (?!if\b|though\b)"
    r"|pretend\b|role-?play\b|imagine (?:that )?you(?:'re| are) |think like an? |play the (?:role|part) of "
    r"|you are (?:now )?(?:an?|the) (?:world's|world-|expert|experienced|professional|skilled))"
    r"|^\s*dear (?!(?:assistant|ai|chat\w*|claude|bot|friend)\b)[\w .']{1,40},",
    re.IGNORECASE,
)
_ROLE_HINTS = ("act as", "act like", "pretend", "role", "imagine ", "think like", "you are", "dear ")
_STANDING = re.compile(r"\b(?:always|never|from now on|всегда|никогда|впредь)\b", re.IGNORECASE)

_QUOTED = re.compile(r"[\"“«„][^\"“”«»„]{30,1500}[\"”»]")
_ENDS = re.compile(r"[.!?…;]+(?=\s)|\n+")


def own(text: str) -> str:
    """A turn without the text it gives to work on, with smileys as ends of sentences and quotations in one piece."""
    text = _without_material(text)
    if not _QUOTING.isdisjoint(text):
        text = _QUOTED.sub(lambda quoted: _ENDS.sub(",", quoted[0]), text)
    if not _SMILING.isdisjoint(text):
        text = _SMILEY.sub(_end, text)
    if ("(" in text) != (")" in text):
        text = _BRACKETS.sub(". ", text)
    return _SPACED.sub("", text) if " ," in text or " ." in text else text


_FIRST_PERSON = re.compile(r"\b(?:I|i|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|[Uu]s|im|ive)\b")
_LONG = 60  # words; what is told in fewer may be of the speaker's without saying so


@lru_cache(maxsize=8)
def is_of_others(text: str) -> bool:
    """Whether a turn is a text of its own, a story or a puzzle: long, and nobody speaks of themselves."""
    return len(text.split()) > _LONG and _FIRST_PERSON.search(text) is None


def _without_material(text: str) -> str:
    lowered = text.lower()
    if any(hint in lowered for hint in _ROLE_HINTS) and (role := _ROLE.search(text)):
        text = text[: role.start()]
    if ":" not in text:
        return text
    found = (match for way in (_TASK, _GIVEN, _TASK_RU, _GIVEN_RU) if (match := way.search(text)))
    starts = [match.start() for match in found if not _STANDING.search(match[0])]
    return text[: min(starts)] if starts else text


def _end(smiley: re.Match[str]) -> str:
    return f"{smiley['before'] or '.'} "
