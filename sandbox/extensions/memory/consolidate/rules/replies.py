"""An answer in a few words becomes the sentence it stands for: ``Where do you live?`` ``In Berlin.`` Pure."""

import re
from functools import partial

_MOST_WORDS = 7

# What is asked, what an answer must look like, and the sentence it then is.
_ASKED: tuple[tuple[str, str, str], ...] = (
    (r"where (?:do you live|are you (?:living|based))", r"(?:(in|at|on|near) )?([A-ZÀ-Þ].*)", "I live {0|in} {1}"),
    (r"what(?:'s| is) your name|who am i (?:talking|speaking) to", r"([A-ZÀ-Þ][\w' -]*)", "My name is {0}"),
    (r"where do you work|who do you work for", r"(?:(at|for|in) )?(?:an? )?([A-Z].*)", "I work {0|at} {1}"),
    (r"what do you do(?: for (?:a living|work))?|what(?:'s| is) your (?:job|profession"
    r"|occupation)", r"(an? .*)", "I am {0}"),
    (r"how old are you", r"(\d{1,2})(?: years old)?", "I am {0} years old"),
    (r"(?:what|which) version of (?P<what>[\w.+# -]+?) (?:does|do|are|is) [\w ]+|(?:what"
     r"|which) (?P<what2>[\w.+#]+) version"
     r"[\w ]*", r"(?:on |with |still )*(v?\d[\w.]*)", "We use {what} {0}"),
    (r"(?:what|which) (?!time|day|language|name)[\w -]{2,30} (?:does (?:the|your) (?:project|team|repo|app|company|code"
     r"|backend|frontend)|do you guys|are you|is the (?:project|app|repo)|do you all) (?:use|using|on|run|run on"
     r"|running|running on|built with|written in|deploy to)", r"(?!I\b)([\w.+#-]+(?: [\w.+#-]+)?)", "We use {0}"),
    (r"where (?:do|are) (?P<what>(?:the|your|our) [a-z]+s)(?: live| go| kept| stored| located)?", r"(?:in|at|under) "
     r"(\S*[/.]\S*)", "The {what} are in {0}"),
    (r"how many (?P<what>kids|children|siblings|sisters|brothers|dogs|cats|pets|cars|employees) do you have",
     r"(\d+|one|two|three|four|five|six|seven|no)", "I have {0} {what}"),
    (r"(?:any|do you have(?: any)?) (?:food |known )?allergies", r"(?!yes|yeah|no\b|none|not\b|I\b)(?:just |only "
     r"|mostly )?([a-z]+(?:(?:,| and| or) [a-z]+)*)", "I am allergic to {0}"),
    (r"do you have (?:any )?(?P<what>pets|kids|children|siblings|a car|a dog|a cat|a garden)",
     r"(?:no|nope|nah|none|i don't)", "I do not have {what}"),
    (r"do you have (?:any )?(?:pets|kids|children|siblings)", r"((?:an?|one|two|three|four) [a-z]+(?:(?:,"
     r"| and) (?:an?|one|two"
     r"|three|four) [a-z]+)*)", "I have {0}"),
    (r"(?:what(?:'s| is)|who(?:'s| is)) (?:your|the) (?P<what>[a-z-]+)(?:'s name| called)", r"([A-Z][\w'-]*)",
     "My {what} is called {0}"),
    (r"how old is your (?P<what>[a-z-]+)", r"(\d{1,2})(?: years old)?", "My {what} is {0} years old"),
    (r"(?:(?:are|aren't|weren't) you(?: still)?|i thought you(?:'re| are| were)|you(?:'re"
     r"| are)) (?P<what>(?:a )?(?:vegan|vegetarian"
     r"|pescatarian|married|single|engaged|pregnant|retired|freelance|a \w+|(?:living |working )?(?:in|at|with"
     r"|for) [A-Z]\w+))"
     r"(?:,? right)?", r"(?:no,? |nope,? )?(?:not any ?more|no longer|not now)", "I am not {what} anymore"),
    (r"where are you (?:originally )?from", r"(?:from )?([A-Z].*)", "I am from {0}"),
    (r"when(?:'s| is) your birthday", r"(?:on )?(.*\d.*)", "My birthday is on {0}"),
    (r"what(?:'s| is) your (?P<what>favou?rite [\w ]{2,30}|hometown|e-?mail(?: address)?|time ?zone"
    r"|native language)", r"(?!I\b)(.+)", "My {what} is {0}"),
    (r"(?:what|which) languages? do you speak", r"([A-Z].*)", "I speak {0}"),
    (r"(?:what|which) [\w ]{2,30} do you (?P<what>use|prefer|play|drive|study)", r"(?!I\b)(.+)", "I {what} {0}"),
    (r"what do you (?P<what>study|drive|play)", r"(?!I\b)(.+)", "I {what} {0}"),
    (r"do you (?P<what>(?:like|eat|drink|speak|play|smoke|drive|use|own)(?! (?:it|that|this"
    r"|them)\b)[^?,]{0,40})", r"(?:yes|yeah|yep|yup|i do|sure)", "I {what}"),
    (r"do you (?P<what>(?:like|eat|drink|speak|play|smoke|drive|use|own)(?! (?:it|that|this"
    r"|them)\b)[^?,]{0,40})", r"(?:no|nope|nah|i don't)", "I do not {what}"),
    (r"are you (?P<what>vegan|vegetarian|married|single|allergic to [\w ]{2,30}|retired"
    r"|left-handed)", r"(?:yes|yeah|yep|i am|yes, i am)", "I am {what}"),
    (r"где (?:ты |вы )?(?:сейчас )?жив[её]\w+", r"(?:(в|во|на) )?([А-ЯЁA-Z].*)", "Я живу {0|в} {1}"),
    (r"как (?:тебя|вас) зовут", r"([А-ЯЁA-Z][\w -]*)", "Меня зовут {0}"),
    (r"где (?:ты |вы )?работае\w+", r"(?:(в|во|на) )?([А-ЯЁA-Z].*)", "Я работаю {0|в} {1}"),
    (r"кем (?:ты |вы )?работае\w+", r"(\w+(?: \w+)?)", "Я работаю {0}"),
    (r"сколько (?:тебе|вам) лет", r"(\d{1,2})(?: (?:лет|года?))?", "Мне {0} лет"),
    (r"откуда (?:ты|вы)(?: родом)?", r"(?:из )?([А-ЯЁA-Z].*)", "Я из {0}"),
    (r"когда у (?:тебя|вас) день рождения", r"(.*\d.*)", "Мой день рождения {0}"),
    (r"как\w+ (?:у (?:тебя|вас) |твой |твоя |твоё |ваш "
    r"|ваша )(?P<what>любим\w+ \w+)", r"(?!я\b)(.+)", "Мой {what} — {0}"),
)  # fmt: skip
_NO_VALUE = re.compile(
    r"(?:yes|yep|yeah|yup|no|nope|nah|sure|thanks|thank|good|great|hm+|haha|oh|wow|why|да|нет|спасибо)\b", re.IGNORECASE
)
_SLOT = re.compile(r"\{(\w+)(?:\|([^}]*))?\}")


def answered(sentence: str, asked: str) -> str | None:
    """The sentence that an answer to a question stands for; None where the question is not understood."""
    if not asked.rstrip().endswith("?"):
        return None
    question = next((part for part in reversed(re.split(r"(?<=[.!?])\s+", asked.strip())) if part), "")
    answer = re.sub(r"^(?:well|oh|um|hm+|ну|э+)[\s,]+", "", sentence.strip(" .!"), flags=re.I)
    answer = re.sub(r"^(?:In|At|On|Near|An?|For|From|В|Во|На|Из)\b", lambda word: word[0].lower(), answer)
    if _NO_VALUE.match(answer) and not question.lower().startswith(("do ", "are ")):
        return None
    cut = _MORE.search(answer)
    answer, more = (answer[: cut.start()], answer[cut.start() :]) if cut else (answer, "")
    if len(answer.split()) > _MOST_WORDS:
        return None
    for pattern, looks, sentence_of in _ASKED:
        wanted = re.search(rf"\b(?:{pattern})\b", question, re.IGNORECASE)
        given = (
            re.fullmatch(looks, answer, re.IGNORECASE if looks.startswith("(?:yes") or looks.startswith("(?:no") else 0)
            if wanted
            else None
        )
        if wanted and given:
            fill = partial(_filled, groups=given.groups(), named=wanted.groupdict())
            return f"{_SLOT.sub(fill, sentence_of)}{more}"
    return None


_MORE = re.compile(
    r",? (?:and|but) (?=(?:I|we|my|our|it|they|he|she)\b)|,? because |, (?=(?:I|we|my|our|it|they)\b)", re.I
)


def _filled(slot: re.Match[str], groups: tuple[str | None, ...], named: dict[str, str]) -> str:
    value = groups[int(slot[1])] if slot[1].isdecimal() else (named[slot[1]] or named.get(f"{slot[1]}2") or "").strip()
    value = re.sub(r"^(?:the|your|our) ", "", value) if value and not slot[1].isdecimal() else value
    return value or slot[2] or ""
