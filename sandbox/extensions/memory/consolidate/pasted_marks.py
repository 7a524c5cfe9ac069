"""How lines look that nobody says of themselves: heads of mails, turns of chats, documents, code, logs. Pure."""

import re
from collections import Counter
from collections.abc import Sequence

from sandbox.extensions.memory.consolidate.pasted_words import ASSISTANTS, FIRST_PERSON, LABELS, OWN_LISTS, SPEAKERS

_SHOWN = 240  # characters of a line that are looked at

_FORWARDED = re.compile(
    r"[-_=*> ]{0,40}(?:begin |начало )?(?:forwarded (?:message|mail|e-?mail|from)|original (?:message|mail|e-?mail)"
    r"|пересылаем|пересланн|переслано|исходное сообщение|weitergeleitet|ursprüngliche nachricht"
    r"|mensaje (?:reenviado|original)|message (?:transféré|d'origine))|(?:fwd?|fw|re|aw|wg) ?:",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"[*_]{0,2}(?:from|to|cc|bcc|subject|date|sent|reply-to|message-id|return-path|received|mime-version|content-type"
    r"|x-[\w-]{2,30}|von|an|betreff|gesendet|datum|de|para|asunto|fecha|enviado|objet|envoyé|à|от|от кого|кому|тема"
    r"|дата|копия|отправлено)[*_]{0,2} ?:",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"[*_]{0,2}(?:subject|betreff|asunto|objet|тема|message-id|reply-to|bcc|cc)[*_]{0,2} ?:", re.I)
_CHAT = re.compile(
    r"\W{0,2}\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?[T ]{1,2}\d{1,2}:\d\d|\d\d:\d\d:\d\d[,.]\d"  # a log, or a chat with dates
    r"|\W{0,2}\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\W{1,4}[^\W\d][\w .'-]{0,30}[:>]\s"
    r"|\[[^\]]{1,40}\] {0,2}[^\W\d][\w .'-]{0,30}:\s"
    r"|[^\W\d][\w .'-]{0,40}, \[\d"
    r"|[^\W\d][\w.'-]{0,20} ?[^\W\d]?[\w.'-]{0,20} {1,4}[\[(]?\d{1,2}:\d\d ?(?:[AaPp][Mm])?[\])]?$"
    r"|[^\W\d][\w.'-]{0,20} ?[^\W\d]?[\w.'-]{0,20} [\[(]\d{1,2}:\d\d[^\])]{0,6}[\])]:?"
    r"|<[@+~&]?[\w-]{1,30}>\s|[\w.-]{1,20}> \w|\d{1,2}:\d\d(?: ?[AaPp][Mm])?$|.{0,80}\d{1,2}:\d\d.{0,40}:$"
    r"|[^\W\d].{0,40} — .{0,24}\d{1,2}:\d\d(?: ?[AP]M)?$"
    r"|[^\W\d][\w.'-]{0,20}(?: [^\W\d][\w.'-]{0,20}){0,2} {1,3}\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?"
    r" \d{1,2}:\d\d(?: ?[AP]M)?$"
)
_DOCUMENT = re.compile(
    r"\[[^\[\]]{1,40}\]$|\*(?!always )[a-z]{3,20}s [^*]{1,80}\*(?:\s|$)|={3,}$|<\||\[/?INST|коллеги[,!]"
    r"|-{3,}$|~{3,}$|\*{3,}$|_{3,}$|\|.*\|$|\[?!\[|</?[A-Za-z!?][^>]{0,200}>|[{\[]$|\"[\w -]{1,40}\" ?:"
    r"|diff --git|@@ |\+\+\+ |--- [ab]/|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE)\b[\]: ]|Traceback"
    r"|[\w.]{1,60}(?:Error|Exception):\s|at [\w.$<>]{1,80}\("
)
_CODE = re.compile(
    r"\$ \S|[\w.-]{1,30}@[\w.-]{1,30}:\S{0,60}[$#] "
    r"|//|/\*|\*/|<!--|-->|\"\"\"|'''|--\s|#!|#(?:include|define|ifdef|ifndef|pragma)\b|@[\w.]{1,40}\("
    r"|(?:async )?(?:def|class|func|fn|function|struct|interface|enum|impl) [\w.]{1,60} ?[(<{:]"
    r"|(?:public|private|protected|static|final|export|abstract) \w.*[{;(]$"
    r"|(?:const|let|var|int|char|void|float|double|bool|string|auto) \w{1,60} ?[=;(]"
    r"|import [\w.]{1,80}(?: as \w{1,40})?;?$|import .{1,120} from ['\"]|from [\w.]{1,80} import |package [\w.]{1,80};"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE) |return\b.*;$"
    r"|[\w.\[\]\"'$]{1,60} ?[-+*/|&:]?= ?[^\s=]|[\w.]{1,60}\([^()]{0,160}\) ?[;{:]?$|<\?(?:php|xml)"
)
_HEADING = re.compile(r"#{1,6}\s")
_LABELLED = re.compile(r"[*_]{0,2}(?P<label>[^\W\d_][^\W_]{0,20}(?: [^\W\d_][^\W_]{0,20}){0,2})[*_]{0,2}:[*_]{0,2}\s")
_GREETED = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten"
    r" (?:tag|morgen)|hola|buenos días|estimad[oa]s?|querid[oa]s?|bonjour|chère?|здравствуй(?:те)?|уважаем\w{1,3}"
    r"|дорог\w{1,3}|привет|добрый (?:день|вечер)|доброе утро)[, ]{0,2}(?P<whom>[^,!.:?]{0,40})[,!.:]?$",
    re.IGNORECASE,
)
_FORMALLY = re.compile(r"(?:dear|sehr|estimad|querid|уважаем|chère?)", re.IGNORECASE)
_SIGNED = re.compile(
    r"(?P<formal>(?:best |kind |kindest |warm |many )?regards|best wishes|sincerely"
    r"|yours (?:sincerely|faithfully|truly)|с уважением|с наилучшими пожеланиями|искренне ваш\w?"
    r"|mit freundlichen grüßen|mit besten grüßen|(?:viele|liebe|beste) grüße|mfg|atentamente|saludos cordiales"
    r"|un cordial saludo|cordialement)\b[,.!]?(?: [\w. ]{1,40})?$"
    r"|(?:best|cheers|thanks|thank you|thanks again|love|take care|gruß|lg|vg|saludos|un abrazo|un saludo|спасибо"
    r"|всего доброго|до встречи|обнимаю|bises|à bientôt)[,.!]{0,2}(?: [^\W\d][\w.]{1,20}){0,2}$",
    re.IGNORECASE,
)


_SENT = re.compile(r"--$|sent from my |отправлено с |von mein\w* \w+ gesendet|enviado desde ", re.IGNORECASE)
_ADDRESSED = re.compile(r"dear (?P<whom>[\w .']{1,40}),", re.IGNORECASE)


_SOURCE = re.compile(
    r"\(?(?:source|quelle|fuente|источник) ?:|\((?:from|taken from|via|из|von|de|aus) .{1,60}\)$", re.IGNORECASE
)


# What a page puts around its text, and the titles of a CV: where one of them stands, all of it is pasted.
_FURNITURE = re.compile(
    r"(?:©|\(c\) \d{4}|copyright \d{4}|r/\w{3,30}(?:$| [•·])|[★☆⭐]{2}|posted by |reviewed (?:in|on) |skip to content"
    r"|share this:?$|leave a (?:reply|comment)$|curriculum vitae\b|lebenslauf$|резюме$|все права защищены"
    r"|(?:work |professional )?experience$|employment history$|berufserfahrung$|опыт работы$|поделиться$|ответить$)"
    r"|[\d.,]{1,9}k? (?:comments?|replies|points?|upvotes?|likes?|комментари\w{1,2})$"
    r"|(?:home|главная|startseite) (?:[|·•>»/]|\w{1,20} [|·•>»/])"
    r"|.{0,80}\b(?:\d{2,4}\+ connections|all rights reserved)"
    r"|[\w./@-]{3,30} [·•|]? ?\d{1,2} (?:minutes?|hours?|days?|months?|years?) ago(?:$| ?[|·•(])",
    re.IGNORECASE,
)
_POINTED_AT = re.compile(r"\S (?:<-{1,2}|←)(?: |$)")


def begins(lines: Sequence[str]) -> int | None:
    """The first line from which a text is nobody's own words, as it looks; None where it looks like talk."""
    shown = [line.strip()[:_SHOWN] for line in lines]
    if any(_SOURCE.match(line) or _POINTED_AT.search(line) for line in shown):
        return 0
    if len(shown) > 1 and any(map(_FURNITURE.match, shown)):
        return 0
    found = [each for each in (_letter(shown), _heads(shown), _dialogue(shown), _document(shown)) if each is not None]
    return min(found, default=None)


def _document(lines: Sequence[str]) -> int | None:
    for at, line in enumerate(lines):
        if not line:
            continue
        if _HEADING.match(line):
            if FIRST_PERSON.isdisjoint(words := line.lower().split()) or OWN_LISTS.isdisjoint(words):
                return at
            continue
        if _FORWARDED.match(line) or _CHAT.match(line) or _DOCUMENT.match(line) or _CODE.match(line):
            return at
        if line.endswith(("{", "}", ");")):
            return at
    return None


def _heads(lines: Sequence[str]) -> int | None:
    """Where the head of a mail begins: two lines of it, or one that names a subject."""
    heads = [at for at, line in enumerate(lines) if _HEADER.match(line)]
    is_head = len(heads) > 1 or (len(heads) == 1 and len(lines) > 1 and _SUBJECT.match(lines[heads[0]]))
    return heads[0] if is_head else None


def _dialogue(lines: Sequence[str]) -> int | None:
    """Where lines begin that name who says them: twice the same, two who are nobody's data, or one whose part it is."""
    labelled = [(at, match["label"].lower()) for at, line in enumerate(lines) if (match := _LABELLED.match(line))]
    labels = Counter(label for _, label in labelled)
    others = [at for at, label in labelled if LABELS.isdisjoint(label.split())]
    named = [at for at, label in labelled if label in SPEAKERS or labels[label] > 1]
    if named:
        return min(named)
    return others[0] if len(others) > 1 and FIRST_PERSON.isdisjoint(labels) else None


def _letter(lines: Sequence[str]) -> int | None:
    """Where a letter begins: it greets somebody who is no assistant, or is signed in form."""
    if len(lines) > 2 and any(map(_SENT.match, lines[1:])):
        return 0
    signed = next((match for line in reversed(lines) if (match := _SIGNED.match(line))), None)
    addressed = _ADDRESSED.match(next(filter(None, lines), ""))
    if addressed and ASSISTANTS.isdisjoint(addressed["whom"].lower().split()):
        return 0
    for at, line in enumerate(lines):
        match = _GREETED.match(line) if at + 1 < len(lines) else None
        if match is None:
            continue
        is_named = bool(match["whom"].strip()) and ASSISTANTS.isdisjoint(match["whom"].lower().split())
        is_apart = at + 1 < len(lines) and not lines[at + 1]
        if (is_named and (signed or is_apart or _FORMALLY.match(line))) or (signed and signed["formal"]):
            return at
    return 0 if signed and signed["formal"] and len(lines) > 2 else None
