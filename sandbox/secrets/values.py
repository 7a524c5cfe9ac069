"""Whether the text after a name such as ``password:`` is a value to hide or just talk: pure tests of one word.

Names of secrets are common in conversation ("the token: a gold coin"), so a name alone proves nothing; the value has to
look made up. The examples of talk below are from conversations, READMEs and code.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

_DENSE = 0.42  # changes of class per character: random base62 has 0.62 (0.5% of it under 0.42), CamelCase about 0.3
_DENSE_AFTER_A_NAME = 0.33
_SAMPLE = 2000  # characters that show whether a run is random

_OPENING = r"""(?i)[bfru]{0,2}(\\?["'`])|(\*{1,2})|([«“‘「(\[])"""
_CLOSING = {"«": "»", "“": "”", "‘": "’", "「": "」", "(": ")", "[": "]"}
_TRAILING = ".,:;?]}>\"'`»”’…\\"
_STOP = r"""(?x)
      [,&;](?=["']?[A-Za-z_][\w-]*["']?[=:])  # the next assignment: a=1,b=2  a=1&b=2
    | ;(?=[A-Za-z]+$)                         # the next key of a connection string: Password=1;User Id=2
    | </                                      # the closing tag
    | \\[nrt]                                 # the escaped end of a line, inside JSON
"""
_REFERENCE = r"""(?xi)
      (?: x{3,} | \*+ | •+ | \.{2,} | … ) .*                 # covered up already
    | <.* | \$[{(].* | \$[^\W\d]+\d{0,2}\W* | .*\{.* | %.*%  # a slot of a template: <key> ${KEY} $KEY {{key}} %KEY%
    | (?: your | the | enter | insert ) [-_] .*              # a slot in words: YOUR_API_KEY
    | (?: required | nullable | min | max ) [:|] .*          # a rule of validation
    | (?: ~ | \.{1,2} ) / .* | / [\w.-]+ (?:/[\w.-]*)+       # a path
    | [a-z]:\\ .* | [a-z+]+:// .*                            # a path, an address
    | [\w.+-]+ @ [\w-]+ (?:\.[\w-]+)* \.[a-z]{2,}            # a mail address
    | [$@&*]? [^\W\d]\w* (?: (?:\.|->|::) [^\W\d]\w* )+      # code: settings.password
    | [$@&*]? [^\W\d]\w* (?: (?:\.|->|::) [^\W\d]\w* )* [(\[] .*  # code: get_password(  tokens[0]
    | 0x[0-9a-f]{40} | \#[0-9a-f]{3,8} | \^.*                # a public address on a blockchain; a colour; a pattern
"""
_WORDS = r"""(?xi)
      v?\d+ (?:\.\d+)+ \w*                                    # a version
    | \d{1,2}:\d{2}.* | \d+ (?:[-/.]\d+)+ | \d{4}-\d\d-\d\d.*  # a time, a range, a date
    | \d{1,3} [^\W\d]{0,2} \+? (?: [-/][^\W\d]+ )*            # 2FA  10k  128-bit  12-character
    | \d{1,3}\+? (?: char | digit | letter | word | bit | byte | min | hr | sec | day | week | month | year | time )s?
    | (?: aws | base | sha | md | aes | rsa | wpa | oauth | argon | pbkdf | pkcs | utf | http | html | ipv | varchar
        | int | uint | float | web | tls | tlsv | ssl | cl | erc | bep | gpt | mp | hs | rs | es | s | x )
      -?\d{1,4} [a-z]{0,2} (?: [-/_][a-z0-9]+ )*              # sha256  WPA2-PSK  gpt-4-turbo
    | \d? (?: password | passwd | pwd | pass | token | secret | key ) s? _? \d{0,2}
"""
_NOT_A_WORD_TO_HIDE = r"""(?xi)
      password | passwort | secret | hidden | string | required | optional | strong | correct | incorrect | invalid
    | missing | changed | changeme | expired | default | example | placeholder | undefined | unknown | redacted
    | encrypted | enabled | disabled | true | false | null | none
"""
# Words, and beginnings and ends of words, that are said about passwords but are none.
_TALK_WORDS = frozenset(
    """
    wrong right required optional missing hidden safe good great best bad fine okay hard simple complex same different
    unique random public private visible empty blank known unknown gone lost stolen written broken stuck enough
    important terrible awful funny silly stupid cute sensitive personal necessary ready case protected please asterisks
    manager managers old new default above below my mine your yours his her our their a an the this that these those
    such no not never always still already also just only now again very too so really quite pretty even more most less
    least all both each nothing none on at under behind for to from by of off out up down over like as about where who
    which when why how here there yes one two it its we you they he she i me us them is are was were be been can could
    should would will must may might has have had do does did if because since until and or but than then
    ok oh ah hi hey hello wait sorry thanks thank sure done hmm um uh lol nevermind
    za zbyt krótkie długie słabe złe błędne stare nowe zawsze
    wie immer sehr zu lang kurz falsch richtig nicht geheim abgelaufen sicher unsicher schwach stark noch auch gut der
    die das muy larga largo corta corto incorrecta correcta vieja nueva débil segura la el los demasiado no très trop
    longue courte faible oublié expiré le les un une muito longa curta fraca errada não uma troppo lunga scaduta sempre
    спасибо привет ладно хорошо да нет ой
    очень слишком та то ту тат тот тут от для из по под за при где уже ещё еще всегда везде лежит надо можно нельзя
    есть будет а в и к о с у на
    """.split()
)
_TALK = r"""(?xi)
      (?:in)?(?:correct|valid|secure) | strong\w* | weak\w* | eas\w+ | longe?r? | short\w* | forgot\w* | every\w*
    | some\w* | any\w* | in\w* | with\w* | what\w* | it['’]?s | \w+n['’]t
    | \w{2,}(?:ed|ing|able|ible|ous|less|ful|tion|ly)
    | н[еи]\w* | так\w* | сам\w* | это\w* | мо[йеяию]\w* | наш\w* | ваш\w* | тво\w+ | сво\w+ | как\w* | что\w*
    | нуж[ен]\w* | долж\w+ | был\w* | стар\w+ | нов\w+ | прост\w* | слаб\w* | сильн\w* | один\w* | прежн\w+ | забы\w*
    | потеря\w* | \w+(?:[ыио]й|[ая]я|[ое]е|ые|ся|[аеиыяуо]ть|[аеиыя]н[аоы]?|[аеиыя]т|[аеиыя]ли?)
"""
_OF_KUBERNETES = r"[a-z0-9]{6}\.[a-z0-9]{16}"
_INNER_SIGN = r"\w[!@#$%^&*+~]+\w"


BLANK = "\0"  # stands for each character that is settled


@cache
def compiled(form: str) -> re.Pattern[str]:
    """Compile at first use: the import stays cheap, and a process that meets no secret never pays. Negated classes also
    exclude ``BLANK``, so that no pattern matches across it.
    """
    return re.compile(form.replace("[^", f"[^{BLANK}"))


class Value(NamedTuple):
    """The word after a name, without quotes and punctuation. ``start`` is its offset in the whole text."""

    text: str
    start: int
    quoted: bool = False

    @property
    def end(self) -> int:
        """The offset in the whole text after the last character."""
        return self.start + len(self.text)

    def __repr__(self) -> str:
        return f"Value(start={self.start}, end={self.end}, quoted={self.quoted})"

    @classmethod
    def within(cls, run: str, start: int) -> "Value":
        """The value in an unbroken run of characters that begins at ``start``."""
        if not (opening := compiled(_OPENING).match(run)):
            return cls(_bare(run), start)
        begin = opening.end()
        end = run.find(opening[1] or opening[2] or _CLOSING[opening[3]], begin)
        if end < 0:
            return cls(_bare(run[begin:]), start + begin)
        return cls(run[begin:end], start + begin, quoted=opening[0] not in ("*", "**", "(", "["))


def is_password(value: Value) -> bool:
    """Whether a person or a file would give this as a password: "hunter2", "4821", "p@ssw!rd", "letmein" in quotes."""
    text = value.text
    if compiled(_REFERENCE).fullmatch(text) or (not value.quoted and compiled(_WORDS).fullmatch(text)):
        return False
    if text.isdecimal():
        return len(text) >= 4
    if _has(text, str.isdigit, str.isalpha):
        return len(text) >= 5
    return _is_wordy_password(value)


def is_lone_password(value: Value) -> bool:
    """Whether a value is a password although only a space is after the name: "my password hunter22"."""
    is_parameter = compiled(r"[A-Za-z]=\d+,?").fullmatch(value.text)  # m=65536, a parameter of a hash
    return (
        len(value.text) >= 6 and not is_parameter and _has(value.text, str.isdigit, str.isalpha) and is_password(value)
    )


def is_long_password(value: Value) -> bool:
    """Like ``is_lone_password``, or digits: "пароль 123456"."""
    return is_lone_password(value) or (value.text.isdecimal() and len(value.text) >= 6)


def is_worded(value: Value) -> bool:
    """Whether plain words are the password itself, "sunflower", "purple monkey dishwasher", and no remark about it."""
    words = compiled(r"[^\W_]+(?:['’]\w+)?").findall(value.text)
    if len(value.text) < 4 or compiled(_NOT_A_WORD_TO_HIDE).fullmatch(value.text):
        return False
    talk = sum(map(_is_talk, words))
    return talk < len(words) if value.quoted else talk <= len(words) // 4


def is_phrase(value: Value) -> bool:
    """Whether words are drawn at random: some words of the lists for wallets are common in talk, but few."""
    words = compiled(r"[^\W\d_]+").findall(value.text)
    return 4 * len(set(words)) > 3 * len(words) and 2 * sum(map(_is_talk, words)) < len(words)


def is_named_after(value: Value) -> bool:
    """Whether this is a password or a code that is named after it: "4821 is the PIN"."""
    return value.text.isdecimal() or is_lone_password(value)


def has_digits(least: int) -> Callable[[Value], bool]:
    """A test for numbers: at least so many digits, and no time or year with its month."""
    return lambda value: (
        sum(map(str.isdigit, value.text)) >= least
        and not compiled(r"\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./](?:\d\d){1,2}").fullmatch(value.text)
    )


def is_iban(value: Value) -> bool:
    """Whether this is an account number: its second pair of signs is the check (ISO 13616)."""
    text = re.sub(r"\s", "", value.text)
    return len(text) > 14 and int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 == 1


def is_credential(value: Value) -> bool:
    """Whether a machine could have made this: letters and digits mixed within one piece, and no name of code."""
    text = value.text
    if len(text) < (6 if value.quoted else 8):
        return False
    if is_dense(text, _DENSE_AFTER_A_NAME) or compiled(_OF_KUBERNETES).fullmatch(text):
        return True
    if compiled(_REFERENCE).fullmatch(text) or compiled(_WORDS).fullmatch(text):
        return False
    if is_made_up(text):
        return True
    if not value.quoted and compiled(r"[^\W\d_]+\d{1,4}").fullmatch(text):
        return False
    return any(sum(map(str.isdigit, piece)) >= 2 for piece in _mixed_pieces(text, 6))


def is_lone_credential(value: Value) -> bool:
    """Whether a value was made by a machine although only a space is after the name: 12 characters at least."""
    return len(value.text) >= 12 and is_credential(value)


def is_token(text: str) -> bool:
    """Whether the text after a known prefix is random: "sk-learn-contrib-2023" is not a key."""
    text = text[:_SAMPLE]
    if _mixed_pieces(text, 8) or is_made_up(text):
        return True
    return _has(text, str.islower, str.isupper) and sum(map(str.isdigit, text)) >= 3


def is_dense(text: str, density: float = _DENSE) -> bool:
    """Whether a long run is random: mixed case and digits that alternate faster than in words and paths.

    Text in hexadecimal (a commit, a digest, an address on a blockchain) is not.
    """
    letters = re.sub(r"[^A-Za-z0-9]+", "", text[:_SAMPLE])
    if len(letters) < 30 or not re.search(r"[g-zG-Z]", letters.removeprefix("0x")):
        return False
    return _has(letters, str.islower, str.isupper, str.isdigit) and _density(letters) >= density


def is_made_up(text: str, least: int = 16) -> bool:
    """Whether a run is random: signs of several classes that alternate faster than in names."""
    letters = re.sub(r"[^A-Za-z0-9]+", "", text[:_SAMPLE])
    return len(letters) >= least and _has(letters, str.islower, str.isupper) and _density(letters) >= _DENSE


def _is_talk(word: str) -> bool:
    return word.casefold() in _TALK_WORDS or bool(compiled(_TALK).fullmatch(word))


def _bare(run: str) -> str:
    stop = compiled(_STOP).search(run)
    text = (run[: stop.start()] if stop else run).rstrip(_TRAILING)
    return text.rstrip(")" + _TRAILING) if "(" not in text else text


def _is_wordy_password(value: Value) -> bool:
    text = value.text
    if compiled(_INNER_SIGN).search(text):
        return len(text) >= 6
    if is_made_up(text, 10):
        return True
    is_long = len(text) >= 20 and text.isascii() and text.islower()
    is_quoted = value.quoted and len(text) >= 6 and not compiled(_NOT_A_WORD_TO_HIDE).fullmatch(text)
    return text.isalpha() and (is_long or is_quoted)


def _mixed_pieces(text: str, length: int) -> list[str]:
    pieces = [piece for piece in compiled(r"[^\W_]+").findall(text) if len(piece) >= length]
    return [piece for piece in pieces if _has(piece, str.isdigit, str.isalpha)]


def _density(letters: str) -> float:
    classes = [0 if letter.isdigit() else 1 if letter.islower() else 2 for letter in letters]
    return sum(map(int.__ne__, classes, classes[1:])) / (len(classes) - 1)


def _has(text: str, *tests: Callable[[str], bool]) -> bool:
    return all(any(map(test, text)) for test in tests)
