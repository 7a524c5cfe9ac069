"""What secrets look like, in one table: names of secrets and what follows them, and the rows of the other modules.

The gate: every text that a row matches contains, case-folded, one of the row's ``hints``, and if the row is one of
``TOKENS`` or the ``BLOB`` also a ``LONG_RUN``, of the ``NUMBERS`` a digit. A text without them needs no further look. A
hint stands inside one word; a space before or after it is where letters begin or end: "pass " is in "pass:", and in
"passion" it is not.

Rows of detect-secrets are its plugins' own patterns; adr/0057 has what is left out of it, and why.
"""

from sandbox.secrets.files import FILED
from sandbox.secrets.forms import IS, PLAIN_WORDS, RUN_WITH_DIGIT, Named, Rule, Shape, ValueForm, any_case, valued
from sandbox.secrets.issued import BLOB, SEPARATED, TOKENS
from sandbox.secrets.phrases import PHRASE
from sandbox.secrets.spoken import NUMBERS, WORDED
from sandbox.secrets.values import (
    is_credential,
    is_lone_credential,
    is_lone_password,
    is_long_password,
    is_password,
    is_worded,
)

LONG_RUN = r"[A-Za-z0-9+/_-]{19}"  # ordinary words are shorter, so a message about Asia does not wait for AWS rules

# What stands between a name and its value X
# password: X   "password": "X"   password = X   **password**: X   password (home): X   <password>X   | password | X
_ASSIGNED = (
    r"(?i)s?\d{0,2}(?:_(?:base|prod|dev|test|live))?[\"'`*_\])\\]{0,4}(?:\s?\([^()\n]{1,30}\)|\svalue)?\s{0,3}"
    r"(?:[!:=：＝]{1,3}>?|->|[→>|–—]|-(?=\s)|\((?=[\"']))(?:[*_`]{1,2}(?=\s))?\s{0,8}"
)
# password: str = X
_TYPED = r"(?i):\s?[a-z][\w.\[\]| ]{0,40}?\s?=\s?"
# password is X   password for the router is now: X   password for the router: X
_OF = (
    r"(?:\s(?:for|to|of|on|at|in|from|del?|du|di|dell[ao]|da|do|für|fürs|von|vom|zum|zur|beim|im|dla|van|voor|till?|от|від|для|к|до|на|в)"
    r"\s[^\n.!?;:=]{1,40}?|\s(?:itself|(?:I|we)\suse)"
    r"|(?:\s[а-яёіїєґ]{2,15}){1,2})"
)
_SAID = (
    rf"(?i)s?[\"'`*_]{{0,2}}(?:\s\([^()\n]{{1,30}}\))?(?:(?:{_OF})?(?:{IS}|\sused\sto\sbe\s)|['’]s\s{{1,2}}"
    rf"|{_OF}(?:\s?[:=]\s{{0,2}}|\s[-–—]\s))"
)
# password: X, of plain words: not in code
_WRITTEN = rf"(?i)(?:{_OF})?(?:(?::|\s[—–-])\s|\s(?=[\"'«“]))"
# password, it's X   password? It's X   password is my dog's name, so X
_ITS = r"(?i)[^\n.!?;:=]{0,60}?(?:[,.?!—–-]|\s-)\s(?:it['’]?s|it\sis|its|so|это)\s(?:now\s)?"
# password is all in lower case: X
_DESCRIBED = r"(?i)\s(?:is|was)\s[^\n.!?;:=]{1,30}:\s"
# asked for the password, so I typed X
_TYPED_IN = r"(?i)[^\n.!?;:=]{0,40}?\s(?:typed?|typing|enter(?:ed|ing)?)\s(?:in\s)?"
# the password hasn't changed, still X
_STILL = r"(?i)[^\n.!?;:=]{0,40}?,\s(?:it['’]?s\s)?(?:still|вс[её]\s(?:ещ[её]|так\sже)|теперь|now)\s"
# the default password, X, still works
_INSERTED = r"(?i)[^\n.!?;:=]{0,40}?[,;]\s"
_INSERTED_VALUE = r"(?P<value>(?=[^\s]{0,60}\d)[^\s,]{6,60})(?=,\s|\s(?:works?|worked|should|still|does|opens)\b)"
# what is the password? X   password? sure, it's X
_ASKED = r"(?i)[^\n.!?;:=]{0,60}\?{1,3}\s(?:(?:it['’]?s|sure|yes|это|да)[,:]?\s){0,2}"
# password X   password for the router X   password from X to Y
_BESIDE = rf"(?i)(?:{_OF}|\s(?:from|с))?[ \t](?=[^\s]*\d)"
# パスワードはX   비밀번호는 X
_JAPANESE = r"\s?(?:は|が|는|은|이|가)[、,]?\s{0,2}"
# 密码X   密码是X   密码：X
_CHINESE = r"(?:是|为|為|改成|改为|改為|设为|設為)?\s{0,2}[:：=]?\s{0,2}"

# as the password I have set X   als Passwort habe ich X
_HAVE = (
    r"(?i)\s(?:i|we)\s(?:have\s)?(?:set|chose|use|took)\s|\s(?:habe|hab|haben|nehme|nutze)\s(?:ich|wir)\s(?:jetzt\s)?"
)
# pw changed to X   pass they mailed me = X
_PUT = r"(?i)\s(?:(?:was\s|is\s|got\s)?(?:changed|set|reset)\sto:?\s|(?:[a-z']{1,12}\s){1,4}=\s)"

_FOR_PASSWORDS = (
    *(ValueForm(form, is_password) for form in (_ASSIGNED, _TYPED, _SAID, _ITS)),
    *(ValueForm(form, is_lone_password, RUN_WITH_DIGIT) for form in (_ASKED, _TYPED_IN, _STILL, _HAVE)),
    ValueForm(_INSERTED, is_lone_password, _INSERTED_VALUE),
    *(ValueForm(form, is_worded, PLAIN_WORDS) for form in (_WRITTEN, _SAID, _ITS, _DESCRIBED)),
)
_FOR_CREDENTIALS = (
    *(ValueForm(form, is_credential, RUN_WITH_DIGIT) for form in (_ASSIGNED, _TYPED, _SAID)),
    ValueForm(_BESIDE, is_lone_credential, RUN_WITH_DIGIT),
)
_BEFORE_A_VERB = "to will must should can cannot could would just always not then and please tests they we you I"
_TICKETS = "".join(rf"(?<!{kind}\s[Pp]ass)" for kind in "ski bus day rail train season boarding".split())
_PASS = rf"[Pp]ass(?![A-Za-z])(?<![A-Za-z0-9][Pp]ass){_TICKETS}|(?<![A-Za-z0-9])(?:PASS(?==)|[Pp][Ww](?![A-Za-z]))"
# login bob pass kitten99, but no "pass user123 to it"
_PASS_ALONE = (
    r"(?<![A-Za-z0-9])[Pp]ass" + "".join(rf"(?<!{verb}\s[Pp]ass)" for verb in _BEFORE_A_VERB.split()) + _TICKETS
    + r"\s(?P<value>(?=[^\s]{0,60}[a-zа-я]{3})(?=[^\s]{0,60}\d)"
    r"(?!(?:python|test|arg|param|user|step|level|gate|item|file|node)s?\d)"
    r"[^\s]{6,60})(?=\s*(?:\n|$)|\s(?:and|but|thanks|please|btw|for|и|а|но)\b)"
)  # fmt: skip
_FOR_PASSES = tuple(
    ValueForm(link, is_lone_password, RUN_WITH_DIGIT) for link in (_ASSIGNED, _SAID, _PUT, r"(?<=[Pp][Ww])\s")
)
_KEY_NAMES = any_case(
    "(?:api|access|secret|private|auth|account|service|client|encryption|master)[ _-]?key|(?:api|апи)[ -]?ключ"
)
_TOKEN_NAMES = any_case("(?<!publickey)token|токен|authorization")
_NAMES = (
    "password|passwd|passwort|kennwort|passphrase|passcode|pwd|pswd|psswd|passw0rd|contraseña|contrasena|contrasenya|senha"
    "|mot de passe|mdp|palavra-passe|wachtwoord|lösenordet|lösenord|adgangskoden|adgangskode|passordet|passord|salasana"
    "|hasło|hasla|heslo|jelszó|parolă|parolam|parolası|parola|şifremiz|şifrem|şifresi|şifre|лозинка|гасло|парола|κωδικός"
    "|סיסמה|סיסמא|كلمة المرور|كلمة السر|पासवर्ड|パスワード|비밀번호|암호|รหัสผ่าน|mật khẩu|kata sandi"
)
_PASSWORD_NAMES = (
    r"(?<!енеджер\s)(?<!енератор\s)(?<!ранилище\s)"
    rf"(?:{any_case(_NAMES)}|{any_case('парол(?:ьн(?:ая|ую|ой) фраз(?:а|у|ы|ой)|ь|я|ю|ем|е|и|ей)|пасс?ворд')})"
    r"|(?<!\w)[Пп]асс(?=\sот\s)|(?<![A-Za-z])[Cc]lave(?=\s(?:de|del|es|wifi)\b|:|\s=)"
)
_PASSWORD_HINTS = "|".join(
    (*(max(name.split(), key=len) for name in _NAMES.split("|")), "clave", "парол", "пассворд", "пасворд", "пасс")
)  # a hint is one word
_NETWORK_KEYS = any_case("(?:wi-?fi|wlan|hotspot)[ -]?(?:key|code|schlüssel)")

WORDS: tuple[Rule, ...] = (
    *WORDED,
    *SEPARATED,
    Named("API key", "key|ключ", _KEY_NAMES, _FOR_CREDENTIALS),
    Named("token", "token|токен|authorization", _TOKEN_NAMES, _FOR_CREDENTIALS),
    Named("secret", "secret|секрет", any_case("secret|секрет"), _FOR_CREDENTIALS),
    Named("password", _PASSWORD_HINTS, _PASSWORD_NAMES, (*_FOR_PASSWORDS, ValueForm(_BESIDE, is_long_password))),
    Named("password", "pass |pw ", _PASS, _FOR_PASSES),
    Named("key", "wifi|wi-fi|wlan|hotspot", _NETWORK_KEYS, (*_FOR_PASSWORDS, ValueForm(_BESIDE, is_long_password))),
    *(
        Named(kind, names, names, (ValueForm(link, accept),))
        for kind, names, link, accept in (
            ("password", "密码|密碼|口令", _CHINESE, is_password),
            ("password", "パスワード|暗証番号|비밀번호|암호", _JAPANESE, is_password),
            ("API key", "密钥|密鑰", _CHINESE, is_credential),
            ("token", "令牌", _CHINESE, is_credential),
        )
    ),
    Shape("password", "pass ", _PASS_ALONE, valued(is_lone_password)),
    *FILED,
)

RULES: tuple[Rule, ...] = (
    *TOKENS,
    *WORDS,
    *NUMBERS,
    PHRASE,
    BLOB,
)  # of two rows for the same place, the earlier names the kind
KINDS = tuple(dict.fromkeys(rule.kind for rule in RULES))
