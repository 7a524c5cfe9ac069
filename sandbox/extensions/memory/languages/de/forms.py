"""German forms: the present of verbs, feminine and compound nouns, and phrases with their article in a case."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from sandbox.extensions.memory.lexicon import read_data
from sandbox.extensions.memory.parse.language import Case, Forms

_REGULAR = """
    wohnen leben arbeiten heißen ziehen kommen studieren lernen lieben hassen mögen spielen trinken rauchen
    brauchen nutzen benutzen verwenden machen gehen laufen hosten deployen joggen schwimmen trainieren tanzen
    klettern bouldern singen kochen üben telefonieren besuchen meditieren töpfern stricken häkeln nähen
    fotografieren angeln segeln surfen rudern reiten imkern gärtnern malen boxen pflegen betreuen leiten führen
    besitzen betreiben verstehen unterrichten jobben pendeln gehören planen fliegen verreisen vertragen leiden
    bevorzugen sammeln schauen stehen schreiben hören bekommen feiern heiraten lauschen wandern programmieren bauen
    kümmern beginnen starten wechseln umziehen nennen rufen sagen stammen schlucken ernähren verzichten hängen
    melden warten testen pushen mergen interessieren engagieren kriegen glauben denken wissen fangen finden
    setzen sparen erwarten entwickeln
""".split()
_STRONG = {  # the stem in the second and third person
    "nehmen": "nimm", "essen": "iss", "sprechen": "sprich", "fahren": "fähr", "schlafen": "schläf", "laufen": "läuf",
    "lesen": "lies", "sehen": "sieh", "tragen": "träg", "geben": "gib", "treffen": "triff", "helfen": "hilf",
    "vergessen": "vergiss", "halten": "hält", "werden": "wird", "übernehmen": "übernimm", "empfehlen": "empfiehl",
    "vertragen": "verträg", "lassen": "läss", "fangen": "fäng",
}  # fmt: skip
_LISTED = {
    "sein": "bin bist ist sind seid", "haben": "habe hast hat", "werden": "werde wirst wird", "mögen": "mag magst",
    "können": "kann kannst", "müssen": "muss musst", "dürfen": "darf darfst", "wollen": "will willst",
    "sollen": "soll sollst", "wissen": "weiß weißt",
}  # fmt: skip
_THIRD = {"sein": "ist", "haben": "hat", "mögen": "mag", "wissen": "weiß", "werden": "wird", "halten": "hält"}
_ORDERS = frozenset(
    """
    nutze nutz benutze benutz verwende schreibe schreib sage sag mache mach nenne nenn rufe ruf gehe geh teste
    push pushe merge deploy deploye baue bau fang lasse lass warte lerne lern gib führe finde höre hör führ
    denke denk melde setze beginne starte glaube plane übe spiele komme
    """.split()
)
"""Forms that are mostly orders to the listener, and seldom statements in the first person."""

_HEADS = """
    lehrer entwickler ingenieur arzt pfleger schwester leiter berater techniker meister verkäufer fahrer
    assistent wissenschaftler trainer manager designer redakteur anwalt kaufmann kauffrau forscher therapeut
    macher händler makler informatiker mechaniker mechatroniker student pädagoge erzieher architekt
    programmierer analyst autor leger fachangestellte angestellte admin administrator referent sachbearbeiter
    betreuer fotograf helfer arbeiter führer gärtner planer prüfer fachwirt biologe physiker chemiker psychologe
    richter beamter beamtin monteur bauer schlosser installateur dozent
""".split()
_IRREGULAR = {
    "ärztin": "arzt", "zahnärztin": "zahnarzt", "tierärztin": "tierarzt", "anwältin": "anwalt", "köchin": "koch",
    "bäuerin": "bauer", "französin": "franzose", "angestellte": "angestellter", "beamte": "beamter",
    "kinderärztin": "kinderarzt", "selbständig": "selbstständig",
}  # fmt: skip
_PLURALS = {
    "söhne": "sohn", "töchter": "tochter", "brüder": "bruder", "schwestern": "schwester", "hunde": "hund",
    "katzen": "katze", "enkelinnen": "enkelin", "tanten": "tante", "nichten": "nichte", "neffen": "neffe",
    "cousinen": "cousine",
}  # fmt: skip
_DIETS = {
    "vegetarier": "vegetarisch",
    "veganer": "vegan",
    "veggie": "vegetarisch",
    "vegi": "vegetarisch",
    "pescetarier": "pescetarisch",
}
_GENDERS = {
    "m": "server dienst service bot shop webshop code cluster dackel",
    "f": "app anwendung api datenbank db website webseite seite pipeline plattform bibliothek produktion ci codebasis",
    "n": "projekt repo repository backend frontend staging monorepo paket tool dashboard release budget team prod",
}
_ARTICLES: Mapping[str, Mapping[Case, str]] = {
    "m": {"nom": "der", "gen": "des", "dat": "dem", "acc": "den"},
    "f": {"nom": "die", "gen": "der", "dat": "der", "acc": "die"},
    "n": {"nom": "das", "gen": "des", "dat": "dem", "acc": "das"},
    "p": {"nom": "die", "gen": "der", "dat": "den", "acc": "die"},
}
_ONE = {"m": "einen ", "f": "eine ", "n": "ein "}
_NEUTER = frozenset("kind baby kaninchen meerschweinchen pferd pony kätzchen enkelkind".split())
_PLAIN = frozenset(
    "vegan vegetarisch pescetarisch koscher halal keto taub blind schwanger bipolar schwerhörig gehörlos verwitwet "
    "geschieden introvertiert hochsensibel krank herzkrank selbstständig sehbehindert schwerbehindert "
    "verheiratet verlobt gekündigt".split()
)
_NO_NOUNS = frozenset(
    "immer stets nie niemals grundsätzlich kein keine keinen antworte duz duze siez sieze sag".split()
)
_ALWAYS = frozenset("immer stets nie niemals grundsätzlich nicht".split())
_MEN = frozenset(
    "luca noah joshua nikola uwe ole malte arne ilja helge rene rené sascha mischa kolja jonte hauke".split()
)
_WOMEN = frozenset(
    """
    astrid aylin ayse britt carmen carolin doreen doris edith elif elisabeth ellen esther gertrud heidrun
    hilde iris ingrid irmgard isabel isabell jasmin judith karen karin kathrin katrin kerstin kristin lilly
    lilli maren miriam nicole ruth sarah selin sibel sybill waltraud yasmin zeynep hannah birgit antje
    elisabet margit beatrix zoe
    """.split()
)
_EITHER = frozenset("alex chris kim kai maike robin andrea leni toni sam nikita jamie bente".split()) - {
    "maike",
    "leni",
}
_SPEAKERS = {
    "mich": "sich", "mir": "sich", "uns": "sich", "mein": "sein", "meine": "seine", "meinen": "seinen",
    "meinem": "seinem", "meiner": "seiner", "unser": "sein", "unsere": "seine", "unseren": "seinen",
    "unserem": "seinem", "unserer": "seiner",
}  # fmt: skip
_NO_NOUN = re.compile(r"(?:\w{3}isch|blind|lich|ig|bar|los|frei|end|sam|haft|al|iv|ell|ert|arm|tolerant)$")
_NO_NAME = re.compile(
    r"(?:en|er|in|ung|heit|keit|schaft|tion|ment|tät|ismus|nis|tum|ling|chen|lein|ei|ie|zeug|werk|sucht)$"
)
_NO_PLACE = re.compile(r"(?:ung|heit|keit|schaft|tion|ment|tät|ismus|nis|tum|miete|zeit|urlaub|haft)$")
_MEDICINE = re.compile(
    r"^\w{3,}(?:(?:[lmtrxz]|[csg]t?)in|pril|zol|lol|artan|ium|pam|profen|xaban|son|tabletten|spray|tropfen|blocker|hemmer)$"
)
_SHORT = {
    "pr": "PR",
    "prs": "PRs",
    "api": "API",
    "apis": "APIs",
    "db": "DB",
    "ci": "CI",
    "ki": "KI",
    "ceo": "CEO",
    "cto": "CTO",
}


class German(Forms):
    """Finite verbs have the lemma ``/v``; those in the first person that are no orders also have ``/1``."""

    def lemmas(self, word: str) -> frozenset[str]:
        """A word and the words it may be a form of."""
        return _lemmas(word)

    def may_name(self, word: str, kind: str) -> bool:
        """A capitalised word is a noun more often than a name: its ending shows a name, or a list of names."""
        if kind == "place":
            return _NO_PLACE.search(word) is None
        return word in _words("given") or _NO_NAME.search(word) is None

    def inflect(self, phrase: str, case: Case) -> str:
        """A phrase in a case: a relative or a part of a project with its article; a name in the genitive with *von*;
        ``ins`` is the bare noun, ``loc`` a noun that somebody has.
        """
        first, _, rest = phrase.partition(" ")
        second, _, others = rest.partition(" ")
        gender = _genders().get(first.lower(), "")
        if case == "loc":
            article = _ONE.get(gender, "") if not rest else ""
            return f"{article}{_nouns(phrase)}"
        if gender and case != "ins" and (not rest or rest.startswith(("des ", "von "))):
            return _phrase(_ARTICLES[gender].get(case, ""), _declined(first, gender, case), rest)
        # älterer Bruder, beste Freundin
        which = second if first.lower() in read_data("de", "words")["which_kin"] else f"{first}_{second}"
        if gender := _genders().get(which.lower(), ""):
            ending = "e" if case in ("nom", "ins") or (gender, case) == ("f", "acc") else "en"
            adjective = re.sub(r"e[rs]?$", ending, first.lower())
            return _phrase(_ARTICLES[gender].get(case, ""), adjective, _declined(second, gender, case), others)
        if case == "gen":
            return f"von {phrase}"
        return _nouns(phrase)

    def third(self, phrase: str) -> str:
        """*Trinke keinen Kaffee* is *trinkt keinen Kaffee*."""
        return _third(phrase)

    def tidy(self, sentence: str) -> str:
        """A sentence without the gaps of empty slots; *1 Jahre alt*: 1 Jahr alt; *einen Hund nicht mehr*: keinen Hund
        mehr.
        """
        sentence = re.sub(r"\b(eine?n? \w+) nicht mehr\b", r"k\1 mehr", sentence)
        return re.sub(r"(?<! ) +(?=[ .,])", "", sentence).replace(" 1 Jahre alt", " 1 Jahr alt")

    def of_several(self, sentence: str, label: str) -> str:
        """*Die Eltern des Nutzers wohnt* -> *Die Eltern des Nutzers wohnen*."""
        before, label, behind = sentence.partition(f"{label} ")
        verb, _, rest = behind.partition(" ")
        base = "sind" if verb == "ist" else next(iter(sorted(_lemmas(verb) & _known())), verb)
        return f"{before}{label}{base} {rest}"

    def gender(self, name: str) -> str:
        """The gender by the ending of a known name."""
        first = name.split(" ")[0].lower()
        if first in ("frau", "herr", "herrn"):
            return "f" if first == "frau" else "m"
        if first not in _words("given") or first in _EITHER:
            return ""
        return "f" if (first[-1] in "ae" and first not in _MEN) or first in _WOMEN else "m"

    def base(self, phrase: str, case: Case | None = None) -> str:  # noqa: ARG002  nouns keep their form
        """A phrase in the form of claims: nouns with capitals, an allergy by its cause."""
        first, _, rest = phrase.lower().partition(" ")
        if rest and (first in _NO_NOUNS or (first in _ORDERS and not _ALWAYS.isdisjoint(rest.split()))):
            return phrase
        if rest and first in _verbs():
            return _third(phrase)
        lower = phrase.lower()
        if diet := _DIETS.get(lower.removesuffix("innen").removesuffix("in")):
            return diet
        return _nouns(phrase)


def _phrase(*words: str) -> str:
    return " ".join(filter(None, words))


@lru_cache(maxsize=1 << 13)
def _lemmas(word: str) -> frozenset[str]:
    found = {word, *_verbs().get(word, ())}
    if word in _IRREGULAR:
        found.add(_IRREGULAR[word])
    elif word.endswith("in") and len(word) > 5 and word not in _genders():
        found.add(word[:-2])
    if word in _PLURALS:
        found |= {_PLURALS[word], "/plur"}
    if word.endswith(("allergie", "allergien")) and len(word) > 10:
        found.add("/allergie")
    if _MEDICINE.search(word):
        found.add("/medicine")
    if word.endswith("s") and word[:-1] in _genders():  # meines Bruders
        found.add(word[:-1])
    found |= {head for head in _HEADS for each in tuple(found) if each.endswith(head) and len(each) > len(head) + 2}
    return frozenset(found)


@cache
def _verbs() -> dict[str, set[str]]:
    forms: dict[str, set[str]] = {}
    for verb in {*_REGULAR, *_STRONG, *_LISTED}:
        firsts, others = _forms(verb)
        for form in firsts:
            forms.setdefault(form, set()).update((verb, "/v"), () if form in _ORDERS else ("/1",))
        for form in others:
            forms.setdefault(form, set()).update((verb, "/v"))
    return forms


def _forms(verb: str) -> tuple[set[str], set[str]]:
    """The forms for *ich*, and those for all other persons."""
    if verb in _LISTED:
        first, *others = _LISTED[verb].split()
        return {first}, {verb, *others}
    stem = verb[:-2] if verb.endswith("en") else verb[:-1]
    firsts = {stem + "e", stem} if verb.endswith("en") else {stem + "e", stem, f"{stem[:-2]}{stem[-1]}e"}
    return firsts, {verb, *_endings(_STRONG.get(verb, stem), verb in _STRONG)}


def _stem(verb: str) -> str:
    """The stem for the endings of *du* and *er*."""
    return _STRONG.get(verb, verb[:-2] if verb.endswith("en") else verb[:-1])


def _endings(stem: str, is_strong: bool) -> Iterator[str]:
    between = "" if is_strong or not stem.endswith(("t", "d", "chn", "ffn")) else "e"
    yield stem + between + ("t" if stem[-1] in "sßxz" else "st")
    yield stem + between + "t"


def _third(phrase: str) -> str:
    verb, _, rest = phrase.partition(" ")
    base = next(iter(sorted(each for each in _lemmas(verb.lower()) if each in _known())), verb)
    if base in _THIRD:
        told = _THIRD[base]
    elif base in _known():
        told = list(_endings(_stem(base), base in _STRONG))[-1]
    else:
        told = verb
    words = (_SPEAKERS.get(each, each) for each in rest.split())
    return " ".join((told, *words))


@cache
def _known() -> frozenset[str]:
    return frozenset((*_REGULAR, *_STRONG, *_LISTED))


def _declined(noun: str, gender: str, case: Case) -> str:
    noun = noun[:1].upper() + noun[1:]
    if gender in ("f", "p") or case == "nom":
        return noun
    if noun.endswith("e") and gender == "m":
        return noun + "n"
    if case != "gen":
        return noun
    return noun + ("es" if re.search(r"^(?:Hund|Mann|Sohn|Freund|Kind|Pferd|Dienst)$|arzt$", noun) else "s")


def _nouns(phrase: str) -> str:
    """Nouns of the lists that were typed without capitals; the last word of each entry is its noun."""
    parts = re.split(r"(,\s*|(?<!\s)\s+(?:,|(?:und|oder|sowie)\s)\s*)", phrase)
    return "".join(part if at % 2 else _noun(part) for at, part in enumerate(parts))


def _noun(phrase: str) -> str:
    before, space, last = phrase.rpartition(" ")
    if before.lower() in ("", "die", "der", "das", "ein", "eine", "einen") and re.fullmatch(
        r"\w+allergien?", last.lower()
    ):
        before, space, last = "", "", re.sub(r"allergien?$", "", last, flags=re.IGNORECASE)
    if not space and last.lower() in _own_verbs():
        last = next(iter(sorted(_lemmas(last.lower()) & _words("own_verb"), key=len)))
    if last.lower() in _SHORT:
        last = _SHORT[last.lower()]
    elif last.lower() in _words("language") | _words("project_word") or _is_noun(last):
        last = last[:1].upper() + last[1:]
    return f"{before}{space}{last}"


def _is_noun(word: str) -> bool:
    return word.isalpha() and word.islower() and word not in _PLAIN and _NO_NOUN.search(word) is None


@cache
def _genders() -> dict[str, str]:
    found = {word: gender for gender, listed in _GENDERS.items() for word in listed.split()}
    for genders in read_data("de", "words")["kin"].values():
        for gender, listed in genders.items():
            found |= {word: "n" if word in _NEUTER else gender or "m" for word in listed.split()}
    return found


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(read_data("de", "words")["classes"][name].replace(",", " ").split())


@cache
def _own_verbs() -> frozenset[str]:
    """The forms of verbs for what a person does for themselves; the noun is the infinitive."""
    return frozenset(form for form, verbs in _verbs().items() if not verbs.isdisjoint(_words("own_verb")))


FORMS = German()
