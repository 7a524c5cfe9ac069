"""Secrets that people tell each other and that scanners of code do not find: PINs, door codes, cards, accounts,
documents.

The rows of ``NUMBERS`` match nothing in a text without a digit.
"""

from sandbox.secrets.forms import IS, PLAIN_WORDS, RUN, Named, Rule, Shape, ValueForm, any_case, card, valued
from sandbox.secrets.values import has_digits, is_iban, is_lone_password, is_named_after, is_phrase, is_worded

# 4821   *5582#   19-77-3   12 34 56   QQ 12 34 56 C   HX-4471902   VK7JG-NPHTM-C97JM
_NUMBER = (
    r"(?P<value>[#*]{0,2}(?-i:[A-ZА-Я]{1,3}[ -])?[^\W_]{0,20}?\d[\w#*]{0,40}"
    r"(?:-[\w#*]{1,20}|/\d{1,9}|\sномер\s\d{1,9}|\s[-–]\s?\d[\w#*]{0,20}|\s\d[\d#*]{0,20}|\s(?-i:[A-HJ-Z])\b){0,12})"
)
_ENDED = (
    r"(?=\s*(?:$|[.,;:!?()\n])|\s(?:[—-]|(?:and|but|or|if|in\scase|so|for|at|on|to|then|please|btw|now|thanks|exp"
    r"|и|а|но|или|если|на|в|для|не|чтобы)\b))"
)
_KIND = r"(?i)s?[\"'`*_)\]]{0,3}(?:\s?\([^()\n]{1,30}\))?(?:\s?(?:number|no\b\.?|nr\b\.?|id|code|#|№|номер|серия))?"
_FOR = (
    r"(?:\s(?:for|to|of|on|at|in|from|by|für|der|des|vom|zur|zum|от|для|к|на|в|во|из|у|с)"
    r"(?:\s(?!in\b|since\b|until\b)[^\s\d.,!?;:=]{1,15}){1,5}?|(?:\s[а-яё]{2,15}){1,2}?)?"
)
# PIN: 4821   PIN for my card is 4821   PIN's 4821   PIN changed, it's 4821 now   the PIN? 4821   set the PIN to 4821
_SAID = (
    rf"{_KIND}{_FOR}(?:\s?[:=#—–→]{{1,2}}>?\s{{0,3}}|\s-\s|{IS}(?:(?:set|changed)\sto\s)?|['’]s\s|\sused\sto\sbe\s"
    r"|[^\n\d]{0,40}?(?:[,.?!—–-]\s(?:it['’]?s|it\sis|это)\s(?:now\s)?|\?\s)|\s(?:changed\s)?(?:to|на)\s)"
)


def _numbers(least: int) -> tuple[ValueForm, ...]:
    """The contexts of numbers with at least so many digits: stated, beside the name, or after a phrase."""
    places = ((_SAID, _NUMBER), (rf"{_KIND}\s", _NUMBER), (rf"{_KIND}{_FOR}\s", _NUMBER + _ENDED))
    return tuple(ValueForm(link, has_digits(least), value) for link, value in places)


def _kinds_of(name: str, kinds: str) -> str:
    """The name after one of its kinds, found by the name, because most words have several kinds."""
    return any_case(name) + "(?i:" + "|".join(rf"(?<=\b{kind}[\s-]{name})" for kind in kinds.split()) + ")"


_CARD = (
    r"(?<![\w.-])(?P<value>(?P<number>3[47]\d\d[ -]?\d{6}[ -]?\d{5}|(?:2[2-7]|[456]\d)\d\d([ -]?)\d{4}(?:\3\d{4}){2})"
    r"(?:,?\s(?:exp[a-z.]{0,5}:?\s)?\d\d\s?/\s?\d{2,4})?)(?![\w-])"
)
_IBAN = r"\b(?P<value>[A-Z]{2}\d\d(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?)\b"
_CARD_NAMES = r"(?i)\b(?:card|visa|mastercard|amex|карт[аыуе])"
_CARD_CODES = r"(?i)\b(?:cv[vc]2?|security\scode|digits\son\sthe\sback)"
_ACCOUNTS = r"(?i)\b(?:(?<!aws\s)account|acct|routing|sort\scode|сч[её]та?)"
_IDENTITIES = (
    r"(?i)\b(?:social(?:\ssecurity)?|ssn|passport|(?:driver['’]?s?|driving)\slicen[cs]e|licen[cs]e(?=\sn)|tax(?:payer)?(?=\si|\sn)|insurance"
    r"|(?:policy|member|medicare)(?=\sn|\si)|ni(?=\snumber)|инн|снилс|паспорта?|удостоверени[ея]|полиса?)"
)
_PINS = r"(?i)(?<![\w-])(?:pin|пин(?:-?код)?)"
_KEYS = (
    _kinds_of("key", "wifi wi-fi wpa wpa2 network router licence license product activation recovery encryption the")
    + r"|[Кк]люч[а-я]{0,2}\s(?:\w{1,12}\s)?(?:апи|api)"
)
_PLACE = (
    r"(?:door|gate|garage|alarm|safe|vault|lock|locker|lockbox|padlock|keypad|entry|entrance|building|buzzer|intercom|lobby"
    r"|gym|office|storage|unit|house|flat|apartment|airbnb|cabin|shed|suitcase|luggage|bike|elevator|lift|parking|barrier"
    r"|phone|iphone|tablet|ipad|sim|voicemail|key\s?(?:box|safe))"
)
_PLACE_RUSSIAN = (
    r"(?:домофон|сейф|подъезд|двер|калитк|ворот|сигнализаци|замк|замок|ячейк|шлагбаум|офис|телефон|смс|sms|подтверждени|доступ"
    r"|безопасност|восстановлени)[а-я]{0,3}"
)
_CODE_KINDS = (
    "door gate garage alarm safe vault lock locker lockbox padlock keypad entry entrance building buzzer intercom lobby"
    " unit house flat apartment airbnb cabin shed suitcase luggage bike elevator lift parking barrier phone tablet sim"
    " voicemail access security verification recovery backup 2fa mfa sms login authenticator unlock one-time"
)
_CODES = (
    rf"{_kinds_of('code', _CODE_KINDS)}|[Cc]odes?\s(?:for|to|of|on|at|from)(?:\s[\w'’]{{1,12}}){{0,3}}?\s(?i:{_PLACE})"
    rf"|(?<!\w)(?:{any_case('keypad|combination|combo|otp')})"
    rf"|[Кк]од[а-я]{{0,2}}(?:\s(?:от|для|на|в|из|к)(?:\s[а-яё]{{2,15}})??)?\s(?:{_PLACE_RUSSIAN})"
)
_NO_SECRET_CODE = "error status zip area postal post country exit http promo discount city course product color source"
_NOT_OF_THEM = "".join(rf"(?<!{kind}.code)" for kind in _NO_SECRET_CODE.split())
_ANY_CODE = rf"{any_case('code')}(?i:{_NOT_OF_THEM})|[Кк]од(?:ом)?\b"
_ANY_CODE_IS = ValueForm(
    rf"(?i)(?:['’]s|\s?[:=—–]|(?:\s[^\s\d.,:;!?]{{1,12}}){{0,4}}?{IS})?(?:(?<=\s)|\s)", has_digits(4), _NUMBER + _ENDED
)
_OPENED_WITH = (
    r"(?i)\b(?:(?:open|unlock|disarm)(?:s|ed|ing)?(?:\s[\w'’]{1,12}){0,4}?\s(?:with|by)|(?:lock|safe|case)\sis\sset\sto"
    rf"|(?:punch|key|type|enter|press|dial)(?:\sin)?(?=\s[#*\d]{{3,12}}\s(?:at|on|into|to|for)(?:\s(?:the|my|our))?\s{_PLACE}))"
)
# hunter22 is my password   4821 as the PIN
_TOLD_BEFORE = (
    r"(?<![^\s])[\"'`]?(?=[^\s]*\d)(?P<value>[^\s\"'`]{4,60})[\"'`]?,?\s(?:is|was|as|—|–|-|это)\s"
    r"(?:(?:это|my|the|our|his|her|your|an?|мой|наш)\s)?(?:[\w'’]{1,15}\s){0,2}?"
    r"(?i:password|passcode|passphrase|pin|code|пароль|пин|код)\b(?!\s(?:name|review|base|for\s\w+\sin))"
)
# login: mira / X   credentials for the shop are mira@example.org and X
_LOGIN = (
    r"(?i)\b(?:log-?\s?in|sign-?\s?in|cred(?:ential)?s?|user(?:name)?|account|(?:zugangs|anmelde)daten|логин(?:/пароль)?"
    r"|уч[её]тк[аиу]|данные|доступы?)[^\n:]{0,25}?(?:\s(?:is|are|with|ist|sind|lauten)|\s?[:—=])\s"
    r"(?:[\w.@+-]{1,60}\s[/|]\s|[\w.+-]{1,40}@[\w.-]{1,40}\s(?:and|und|и)\s|[\w@+-]{1,60}[:/](?!/))" + RUN
)
# basic auth for the shop: mira:X   basic auth (mira / X)   mira:X for basic auth   auth=("mira", "X")
_BASIC_AUTH = (
    r"(?i)(?:\b(?:basic[\s_-]?auth(?:entication|orization)?|auth_basic|htpasswd|базов[а-я]{2,3}\sавторизаци[а-я]{1,2})"
    r"[^\n/]{0,40}?[\s(\"'`](?:[\w.@+-]{1,60}(?::|\s/\s)(?!/))"
    r"|\b(?:(?:http)?(?:basic|digest)auth|auth\s?=)\s?\(\s?[\"'][^\s\"']{1,60}[\"'],\s?)" + RUN
)
_FOR_BASIC_AUTH = (
    r"(?i)(?<![^\s\"'`])[\w.@+-]{1,60}(?::|\s/\s)"
    + RUN
    + r"(?=\s(?:for|as|with|für|als|для)\s(?:\w{1,6}\s)?basic[\s_-]?auth)"
)
# with admin / X   admin:X
_ADMIN = r"(?i)(?<![\w./-])(?:admin|root|administrator)(?:\s/\s|:\s?)" + RUN
# log in as admin/X   cabin wifi: CabinNet / X   authenticates with 'X'
_SIGNED_IN = (
    r"(?i)(?:\b(?:log(?:ged|ging)?\s?in|sign(?:ed|ing)?\s?in|router|роутер\w{0,2}|логин\w{0,2}|вход\w{0,2}|зайти|захожу)"
    r"[^\n.!?]{0,40}?[\s:](?:admin|root|administrator)/"
    r"|\b(?:wi-?fi|wlan)\b[^\n.!?]{0,40}?\sis\s[\w-]{2,32}\s/\s|\bauthenticat(?:es?|ed|ing)\swith\s(?=[\"'`]))"
) + RUN
# P A S S W O R D : X
_SPACED = r"(?i)(?<!\w)p\sa\ss\ss\s{1,2}w\so\sr\sd\s{0,2}[:=]\s{0,2}" + RUN
_PHRASES = (
    r"(?i)\b(?:seed(?:\sphrase|\swords)?|(?:recovery|backup|secret)\sphrase|wallet\s(?:phrase|words)"
    r"|words(?:\s\w{1,12}){1,3}\swallet|mnemonic(?:\sphrase)?|сид-?\s?фраз[а-я]{1,2})"
)
_MANY_WORDS = r"(?P<value>(?:\d{1,2}[.)]\s?)?[^\W\d_]{3,12}(?:[\s,]{1,2}(?:\d{1,2}[.)]\s?)?[^\W\d_]{3,12}){5,23})"
_QUESTIONS = (
    r"(?i)\b(?:(?:security|secret)\s(?:question|answer|word)s?|code\s?words?"
    r"|(?:контрольн|секретн|кодов)[а-я]{2,3}\s(?:вопрос|слов|ответ)[а-я]{0,2})"
)
_ANSWERED = r"(?i)[^\n]{0,80}?\b(?:answer|ответ)(?:\s(?:is|was|—|-)|['’]s|:|,)?\s"
_IS_ANSWER = (
    rf"(?i)(?:\s(?:for|to|at|of|with|в|для|от|на)(?:\s[^\s.,!?;:]{{1,15}}){{1,3}}?)?(?:{IS}|['’]s\s|\s?[:=—–]\s|\s-\s)"
)
_LAST_WORD = r"(?P<value>[а-яё]{4,20}(?<!л)(?<!л[аи])(?<!ть)(?<!но)(?<!ет))(?=\s*(?:$|[.!\n]))"  # and no verb
# Rosebud, that's the answer to the security question
_THAT_IS_ANSWER = (
    r"(?i)(?:\b(?:is|was|—)|:)\s(?P<value>[^\W\d_][^\n.!?,;:]{1,30}?),?\s(?:and\s|—\s|-\s)?"
    r"(?:that['’]?s|it['’]?s|which\sis|that\sis|это)\s(?:\w{1,12}\s){0,5}?(?:security|secret|контрольный|секретный)\s"
    r"(?:answer|question|вопрос)"
)

WORDED: tuple[Rule, ...] = (
    Named(
        "recovery phrase",
        "seed|phrase|wallet|mnemonic|фраз",
        _PHRASES,
        (ValueForm(_SAID, is_phrase, _MANY_WORDS), ValueForm(r"\s", is_phrase, _MANY_WORDS)),
    ),  # BIP-39
    Named(
        "security answer",
        "secur|secret|code|контрольн|секрет|кодов",
        _QUESTIONS,
        (
            *(ValueForm(link, is_worded, PLAIN_WORDS) for link in (_ANSWERED, _IS_ANSWER)),
            ValueForm(r"\s(?:для|от)\s[а-яё]{3,15}\s", is_worded, _LAST_WORD),
        ),
    ),
    Shape("security answer", "secur|secret|контрольн|секрет", _THAT_IS_ANSWER, valued(is_worded)),
)
NUMBERS: tuple[Rule, ...] = (
    Shape("card number", "", _CARD, card),  # ISO/IEC 7812-1
    Shape("account number", "", _IBAN, valued(is_iban)),  # ISO 13616
    Named("card number", "card|visa|amex|карт", _CARD_NAMES, _numbers(12)),
    Named("card code", "cv|digits|security", _CARD_CODES, _numbers(3)),
    Named("account number", "account|acct|routing|sort |сч", _ACCOUNTS, _numbers(6)),
    Named(
        "identity number",
        "social|ssn|passport|licen|tax|insurance| member |policy |medicare|number|инн|снилс|паспорт|удостоверен|полис",
        _IDENTITIES,
        _numbers(5),
    ),
    Named("PIN", " pin|пин", _PINS, _numbers(4)),
    Named("key", "key|ключ", _KEYS, _numbers(6)),
    Named("code", "code|combination|combo|keypad| otp|код", _CODES, _numbers(3)),
    Named("code", "code|код", _ANY_CODE, (_ANY_CODE_IS,)),
    Named(
        "code",
        " open| unlock| disarm| set | punch | key | type | enter | press | dial ",
        _OPENED_WITH,
        (ValueForm(r"\s", has_digits(3), _NUMBER + _ENDED),),
    ),
    Shape(
        "password", "log|sign|cred|user|account|daten|логин|учетк|учётк|данные|доступ", _LOGIN, valued(is_lone_password)
    ),
    Shape("password", "basic|auth|htpasswd|базов", _BASIC_AUTH, valued(is_lone_password)),
    Shape("password", "basic", _FOR_BASIC_AUTH, valued(is_lone_password)),
    Shape(
        "password",
        "log|sign|router|роутер|логин|вход|зайти|захожу|wifi|wi-fi|wlan|authenticat",
        _SIGNED_IN,
        valued(is_lone_password),
    ),
    Shape("password", " w ", _SPACED, valued(is_lone_password)),
    Shape("password", "admin|root", _ADMIN, valued(is_lone_password)),
    Shape("password", "pass|pin|code|парол|пин|код", _TOLD_BEFORE, valued(is_named_after)),
)
