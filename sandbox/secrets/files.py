"""Secrets in files, headers and command lines: cookies, hashes of passwords, keys of networks, options."""

import re
from base64 import b64decode

from sandbox.secrets.forms import RUN, Rule, Shape, any_case, group, private_key, url_password, valued
from sandbox.secrets.values import Value, is_credential, is_lone_password, is_password

_KEY_BLOCK = (
    r"-{4,5} ?BEGIN (?:[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?|OpenVPN [\w -]{0,30}?[Kk]ey(?: V\d)?) ?-{4,5}"
    r"(?P<body>[^-]*(?:-(?!---)[^-]*)*)(?P<end>-{4,5} ?END [\w ]{0,40}(?:-[\w ]{1,20}){0,3}-{4,5})?"
)
_PUTTY_LINES = r"Private-Lines: \d+\s+(?P<value>(?:[A-Za-z0-9+/=]{64}\s+)*[A-Za-z0-9+/=]{1,64})"
_BEARER = any_case("bearer") + r"[\"']?\s{1,3}" + RUN
_BASIC = any_case("authorization") + r"[\"']?\s{0,2}[:=]\s{0,2}[\"']?" + any_case("basic") + r"\s{1,3}" + RUN
_URL_PASSWORD = r"://[^\s/:@?\#\[\]]*:(?P<value>[^\s/\"'<>`]+)@"
_URL_KEY = any_case("[?&](?:sig|signature|x-amz-signature|key|auth)=") + RUN
_OPTION_P = (
    r"(?:sshpass\s-p\s?|(?:mysql|mysqldump|mysqladmin|mariadb)\s(?:[^\n]{0,100}?\s)?-p(?=\S)"
    r"|\blogin\s(?:[^\n]{0,100}?\s)?-p[\s=])" + RUN
)
_ENVIRONMENT = r"(?m)^[ \t]{0,8}(?:export\s|set\s)?[A-Z0-9_]{0,60}(?:SECRET|TOKEN|(?:API|ACCESS|PRIVATE)_?KEY)=" + RUN
_CURL = (
    r"(?:[Cc]url\s(?:[^\n]{0,100}?\s)?(?:-[A-Za-z]{0,6}[uU]|--(?:proxy-)?user)|\bhttps?\s(?:[^\n]{0,100}?\s)?(?:-a|--auth))"
    r"[\s=]{0,2}[\"']?[^\s:\"']{1,64}:" + RUN
)
# ENV ADMIN_PASS X   requirepass X
_DIRECTIVE = (
    r"(?m)^[ \t]{0,8}(?:ENV\s[A-Z0-9_]{0,60}(?:PASS(?:WORD|WD)?|PWD|SECRET|TOKEN|KEY)|requirepass|masterauth)"
    r"[ \t]{1,4}" + RUN
)

_SIGNING_KEY = r"(?:SECRET|secret)_(?:KEY|key)[\"']?\]?\s{0,3}(?::\s?str\s?)?[=:]\s{0,3}" + RUN
_AUTHENTICATOR = r"otpauth(?:-migration)?://[^\s\"'<>]{0,300}?[?&](?:secret|data)=(?P<value>[A-Za-z0-9%+/=_-]{6,})"
_GROUPS_OF_FOUR = (
    r"(?i)(?:secret|setup|2fa|totp|authenticator|key)[^\n.!?;]{0,40}?[\s:=]"
    r"(?P<value>(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4})(?![\w-])"
)
_OF_SESSION = ("sess", "sid", "auth", "token", "jwt", "remember", "ticket", "login")
_COOKIE = (
    any_case(f"(?:{'|'.join(_OF_SESSION)})")
    + "(?!izer)"  # a tokenizer
    + r"[\w.-]{0,40}(?:=|[\"']\s?,\s{0,9}[\"']value[\"']\s?:\s?[\"'])(?P<value>[^\s;,\"'<>&]{8,100})[^\s;,\"'<>]*"
)
_SESSION_NAMES = "sessid|sessionid|session_id|laravel_session|user_session|connect.sid"
_SESSION_COOKIE = (
    r"(?:PHPSESSID|JSESSIONID|ASPSESSIONID\w{0,20}|ASP\.NET_SessionId|connect\.sid|[Ss]ession_?[Ii][Dd]|laravel_session"
    r"|_session_id|user_session)[\"']?(?:\s?[:=]\s?|\t)[\"']?(?P<value>[A-Za-z0-9%._~+/|:=-]{8,})"
)
_ENCODED_AUTH = (
    r"(?<![A-Za-z0-9-])(?:_?auth|_password)[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    r"(?P<value>[A-Za-z0-9+/]{12,}={0,2})(?![\w.(/-])"
)
_CRYPT = (
    r"\$(?:apr1|[1567y]|gy|2[abxy]|sha1|md5|argon2(?:id|i|d)|scrypt|7|bcrypt-sha256|pbkdf2[\w-]{0,12})\$"
    r"[./A-Za-z0-9$=,+_-]{12,}|\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2[\w-]{0,12})\}[./A-Za-z0-9$=,+-]{12,}"
    r"|(?:pbkdf2_sha(?:1|256|512)|argon2|bcrypt(?:_sha256)?|scrypt)\$[./A-Za-z0-9$=,+-]{12,}"
)
_HASHES = (
    "$apr1$|$1$|$5$|$6$|$7$|$y$|$gy$|$2a$|$2b$|$2x$|$2y$|$sha1$|$md5$|$argon|$scrypt$|$bcrypt-|$pbkdf|pbkdf2_sha|argon2$"
    "|bcrypt$|bcrypt_sha256$|scrypt$|sha}|sha256}|sha384}|sha512}|md5}|{crypt}|{pbkdf"
)
_NTLM = r"(?<![\w:])[\w.-]{1,64}:\d{3,6}:(?P<value>[a-f0-9]{32}:[a-f0-9]{32}):::"
_NETRC = r"(?:machine\s{1,3}\S{1,100}|default)\s{1,9}login\s{1,3}\S{1,100}\s{1,9}password\s{1,3}" + RUN
_PGPASS = (
    r"(?m)(?:^|(?<=\\n))(?:[\w.-]{0,60}[A-Za-z][\w.-]{0,60}|\*):(?:5432|5433|6432|\*):[\w*.-]{1,64}:[\w.*@-]{1,64}:"
    r"(?P<value>[^\s:\\]{4,100})(?=$|\\n)"
)
_OPTION = (
    r"(?<![\w-])(?:--?(?:pass(?:word|wd|phrase)?|pwd|http-password|ftp-password|db-password)[\s=]{1,2}|-passin\s{1,2}pass:"
    r"|-passout\s{1,2}pass:|/p(?:ass(?:word)?)?:)" + RUN
)
_OPTION_KEY = (
    r"(?<![\w-])--?(?:[a-z]{1,12}-){0,3}(?:token|secret|(?:api-?|access-?|secret-?|private-?)key)[\s=]{1,2}" + RUN
)
_COMMAND = (
    r"(?:\b|(?<=\\[nrt]))(?:redis-cli\s[^\n|]{0,60}?-a|docker\slogin\s[^\n|]{0,100}?-p|ldap\w{3,8}\s[^\n|]{0,100}?-w|sqlcmd\s[^\n|]{0,100}?-P"
    r"|(?:un)?zip\s[^\n|]{0,60}?-P"
    r"|openssl\senc\s[^\n|]{0,100}?-k|net\suser\s(?!/)\S{1,60}|net\suse\s[^\n|]{0,40}?\\\\\S{3,100}|mongo(?:sh|dump)?\s[^\n|]{0,100}?-p|htpasswd\s-\w{0,5}b\w{0,5}\s\S{1,60}\s\S{1,60})"
    r"\s{1,2}" + RUN
)
_PIPED = r"\becho\s(?:-n\s)?" + RUN + r"\s?\|\s?(?:sudo\s[^\n]{0,20}-S|[^\n|]{0,60}--password-stdin|passwd|chpasswd)"
_SMB = r"(?:-U\s{0,2}|--user=|user=)[\"']?[\w.\\-]{1,60}%(?P<value>[^\s\"'%]{4,100})"
# ... IDENTIFIED BY 'X'   IDENTIFIED WITH plugin BY 'X'
_IDENTIFIED = any_case("identified") + r"\s(?i:with\s[^\s]{1,40}\s)?(?i:by|as)\s(?i:password\s)?" + RUN
# variable "db_password" { default = "X" }
_TERRAFORM = (
    r"variable\s\\?\"[\w-]{0,40}(?:pass|secret|token|key)[\w-]{0,40}\\?\"\s?\{[^{}]{0,200}?\bdefault\s{0,9}=\s{0,9}"
    + RUN
)
# psk="X"   WIFI:T:WPA;S:home;P:X;;
_NETWORK = r"(?:\bpsk\s?=\s?|WIFI:(?:[TSHI]:[^;\n]{0,64};){0,4}P:)" + RUN
_VAULT = r"\$ANSIBLE_VAULT;[^\n]{1,60}(?P<value>(?:\s{1,12}[0-9a-f]{20,80})+)"


def _is_signing_key(value: Value) -> bool:
    """Whether a signing key looks like one: letters between digits or other signs, no words."""
    text = value.text
    if is_credential(value) or (
        value.quoted and is_lone_password(value) and any(sign in "!#$%&*+?@^" for sign in text)
    ):
        return True
    if len(text) < 16 or " " in text or text.startswith(("<", "${", "{{", "%(", "os.", "env", "config", "get")):
        return False
    signs = sum(not sign.isalnum() and sign not in "_-./:" for sign in text)
    return text.startswith("django-insecure-") or (signs >= 3 and value.quoted) or is_password(value)


def _is_basic(value: Value) -> bool:
    try:
        return b":" in b64decode(value.text + "=" * (-len(value.text) % 4))
    except ValueError:
        return False


def _is_cookie(value: Value) -> bool:
    letters = sum(map(str.isalpha, value.text))
    return letters >= 2 and sum(map(str.isdigit, value.text)) >= 2


def _is_four(value: Value) -> bool:
    return any(map(str.isdigit, value.text)) and any(map(str.isalpha, value.text))


def _is_long(value: Value) -> bool:
    return len(value.text) >= 8 and not value.text.startswith(("<", "$", "{"))


FILED: tuple[Rule, ...] = (
    Shape("private key", "----", _KEY_BLOCK, private_key),
    Shape("private key", "private-lines", _PUTTY_LINES, group),  # PuTTY manual, appendix C
    Shape("bearer token", "bearer", _BEARER, valued(is_credential)),
    Shape(
        "basic credentials", "authorization", _BASIC, valued(lambda value: _is_basic(value) or is_credential(value))
    ),  # RFC 7617
    Shape("password", "://", _URL_PASSWORD, url_password),  # BasicAuthDetector, with all signs of RFC 3986
    Shape("password", "curl|http", _CURL, valued(is_password)),  # curl manual, --user; httpie.io/docs
    Shape("API key", "=", _URL_KEY, valued(is_credential)),  # Azure SAS, AWS SigV4
    Shape(
        "password", "sshpass|mysql|mariadb|login", _OPTION_P, valued(is_password)
    ),  # sshpass(1), mysql(1), docker login
    Shape("password", " env |requirepass|masterauth", _DIRECTIVE, valued(is_lone_password)),  # Dockerfile, redis.conf
    Shape("secret", "secret=|token=|key=", _ENVIRONMENT, valued(is_lone_password)),  # environ(7)
    Shape("secret", "secret_key", _SIGNING_KEY, valued(_is_signing_key)),  # Django, Flask: settings
    Shape("authenticator key", "otpauth", _AUTHENTICATOR, group),  # Key URI format of Google Authenticator
    Shape(
        "authenticator key", "secret|setup|2fa|totp|authenticator|key", _GROUPS_OF_FOUR, valued(_is_four)
    ),  # RFC 6238
    Shape("session cookie", "=|value\"|value'", _COOKIE, valued(_is_cookie)),  # RFC 6265
    Shape("session cookie", _SESSION_NAMES, _SESSION_COOKIE, valued(_is_cookie)),
    Shape("basic credentials", " auth |_password", _ENCODED_AUTH, valued(_is_basic)),  # docker, npm: configuration
    Shape("password hash", _HASHES, _CRYPT, re.Match.span),  # crypt(5), RFC 2307
    Shape("password hash", ":::", _NTLM, group),  # Samba: smbpasswd
    Shape("password", "machine|default", _NETRC, valued(lambda value: len(value.text) > 3)),  # netrc(5)
    Shape("password", ":5432:|:5433:|:6432:|:*:", _PGPASS, group),  # PostgreSQL manual, 34.16
    Shape("password", "-pass|-pwd|-http-pass|-ftp-pass|-db-pass|/p:|/pass", _OPTION, valued(is_password)),
    Shape("token", "token|secret|key", _OPTION_KEY, valued(is_credential)),
    Shape("password", "redis-cli|docker|ldap|sqlcmd|zip|mongo|htpasswd|openssl|net", _COMMAND, valued(is_password)),
    Shape(
        "password", "identified", _IDENTIFIED, valued(lambda value: value.quoted and is_password(value))
    ),  # MySQL: CREATE USER
    Shape("password", "variable", _TERRAFORM, valued(is_password)),  # Terraform manual: input variables
    Shape("password", "psk|wifi:", _NETWORK, valued(_is_long)),  # wpa_supplicant.conf(5); ZXing: contents of barcodes
    Shape("encrypted secrets", "$ansible_vault;", _VAULT, group),  # Ansible manual, format of vault files
    Shape("password", "echo", _PIPED, valued(is_password)),
    Shape("password", "%", _SMB, valued(is_lone_password)),  # smbclient(1)
)
