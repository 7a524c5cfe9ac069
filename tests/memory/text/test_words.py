"""Text to terms, fingerprints and names, the same for stored texts and for questions; and the language of a text."""

import pytest
from hypothesis import example, given, strategies as st

from sandbox.extensions.memory.text.languages import is_spoken, language
from sandbox.extensions.memory.text.sightings import proper_terms, runs
from sandbox.extensions.memory.text.words import (
    content_words,
    fingerprint,
    fold,
    name_candidates,
    names_in_question,
    stemmed_name,
    terms,
)

LETTERS = st.characters(categories=["Ll", "Nd"]).filter(lambda letter: fold(letter.upper()) == fold(letter))
WORDS = st.text(LETTERS, min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("moved", "moving"),
        ("allergies", "allergy"),
        ("книга", "книгу"),
        ("книгой", "книги"),
        ("Анна", "Анной"),
        ("переехала", "переехать"),
        ("ёлка", "елки"),
        ("Ann's", "Ann"),
        ("Ann’s", "ann"),
        ("l'amour", "amour"),
        ("d’accord", "accord"),
        ("qu'elle", "elle"),
        ("ＡＢＣ１２３", "abc123"),
        ("e\u0301cole", "école"),
        ("STRASSE", "straße"),
        ("ﬁle", "file"),
        ("θάλασσα", "ΘΆΛΑΣΣΑ"),
    ],
)
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


@pytest.mark.parametrize(
    ("one", "other"),
    [("book", "boot"), ("книга", "кнут"), ("5432", "5433"), ("東京", "京都"), ("the tea", "the coffee")],
)
def test_different_words_have_different_stems(one: str, other: str) -> None:
    assert not set(terms(one)) & set(terms(other))


STOP_WORDS = ("What is it that you don't have, and why?", "что это было и почему?")


@pytest.mark.parametrize("nothing", [*STOP_WORDS, "", "   ", "!?…", "\x00", "_", "« »", "🙂"])
def test_text_without_words_has_no_terms(nothing: str) -> None:
    assert terms(nothing) == []


def test_content_words_are_the_analysed_words() -> None:
    assert content_words("What is Ann's dog called?") == [("Ann's", ("ann",)), ("dog", ("dog",)), ("called", ("call",))]
    assert content_words("getUserName") == [("getUserName", ("getusernam", "get", "user", "name"))]
    assert content_words("кого зовут Анна?") == [("зовут", ("зовут",)), ("Анна", ("ан",))]
    assert content_words("is it?") == []


def test_unspaced_scripts_become_overlapping_bigrams() -> None:
    assert terms("東京タワー") == ["東京", "京タ", "タワ", "ワー"]
    assert terms("猫") == ["猫"]
    assert set(terms("東京")) <= set(terms("昨日東京へ行った"))
    assert set(terms("서울")) <= set(terms("서울에서"))


def test_scripts_may_be_mixed() -> None:
    found = terms("Deploy сервиса на AWS в 東京 завтра")
    assert {"deploy", "aw", "東京", *terms("сервис")} <= set(found)


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("getUserName", {"get", "user", "name"}),
        ("foo_bar", {"foo", "bar"}),
        ("parseHTTPResponse", {"http"}),
        ("kebab-case-name", {"kebab", "case", "name"}),
        ("user.email", {"user", "email"}),
        ("module::function", {"modul", "function"}),
        ("fooBar_baz", {"foo", "bar", "baz"}),
    ],
)
def test_an_identifier_is_found_by_its_parts(identifier: str, parts: set[str]) -> None:
    assert parts <= set(terms(identifier))


def test_marks_stay_with_their_letters() -> None:
    assert len(terms("हिन्दी")) == 1
    assert len(terms("שָׁלוֹם")) == 1
    assert terms("naïve cafe\u0301") == terms("nai\u0308ve café")


def test_the_length_of_a_term_is_limited() -> None:
    assert all(len(term) <= 64 for term in terms("a" * 5000 + " " + "deadbeef" * 200))


@given(st.text())
@example("ŉ İ ǰ ᾼ ΐ ﬃ")
@example("\ud800 lone")
def test_terms_are_deterministic_and_never_blank(text: str) -> None:
    found = terms(text)
    assert found == terms(text)
    assert all(term and not term.isspace() and " " not in term for term in found)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_terms_do_not_depend_on_case(words: list[str]) -> None:
    text = " ".join(words)
    assert terms(fold(text)) == terms(text)


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_a_fingerprint_ignores_case_spaces_and_punctuation(words: list[str], data: st.DataObject) -> None:
    gaps = st.sampled_from([" ", "  ", "\n", "\t", ", ", "; ", "! ", " (", ") ", " «", "» ", "… ", " “", "” "])
    changed = "".join(word + data.draw(gaps) for word in words)
    cased = data.draw(st.sampled_from([changed, changed.upper(), changed.title(), f"  {changed}\n"]))
    assert fingerprint(cased) == fingerprint(" ".join(words))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 5432", "The port is 5433"),
        ("Version 3.14", "Version 3.15"),
        ("Version 3.1", "Version 31"),
        ("It is -5 degrees", "It is 5 degrees"),
        ("Meet at 10:30", "Meet at 10:31"),
        ("Ann likes tea", "Ann does not like tea"),
        ("Ann likes tea", "Ann doesn't like tea"),
        ("tabs over spaces", "spaces over tabs"),
        ("Ann told Bob", "Bob told Ann"),
        ("She writes C++", "She writes C"),
        ("She writes C#", "She writes C"),
        ("Анна любит чай", "Анна не любит чай"),
        ("東京に住む", "京都に住む"),
        ("I feel 🙂", "I feel 🙁"),
        ("!!!", "???"),
        ("a b", "ab"),
    ],
)
def test_different_statements_have_different_fingerprints(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


@given(st.lists(WORDS, min_size=2, max_size=6, unique_by=fold), st.integers(0, 9999), st.integers(0, 9999))
def test_a_fingerprint_depends_on_every_number_and_the_order_of_words(words: list[str], one: int, other: int) -> None:
    text = " ".join(words)
    assert (fingerprint(f"{text} {one}") == fingerprint(f"{text} {other}")) == (one == other)
    assert fingerprint(" ".join([words[-1], *words[:-1]])) != fingerprint(text)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Ann", "Where does Ann live?"),
        ("Ann", "What is Ann's dog called?"),
        ("Анна", "О чём мы говорили с Анной?"),
        ("Анна", "Где живёт Анны брат?"),
        ("Пётр Сидоренко", "Что сказал Петру Сидоренко врач?"),
        ("Mary Jane Watson", "when did mary jane watson call"),
        ("O'Brien", "What did O’Brien say?"),
        ("Jean-Luc", "Did Jean-Luc write?"),
    ],
)
def test_a_name_is_found_in_a_sentence(name: str, sentence: str) -> None:
    assert stemmed_name(name) in name_candidates(sentence)


@pytest.mark.parametrize("inflected", ["Иванова", "Иванову", "Ивановым", "Иванове"])
def test_a_russian_surname_is_found_inflected(inflected: str) -> None:
    assert stemmed_name("Иванов") in name_candidates(f"Что ты знаешь об {inflected}?")


@given(st.text(max_size=80), st.integers(1, 5))
def test_name_candidates_are_distinct_runs_of_bounded_length(text: str, longest: int) -> None:
    found = name_candidates(text, longest)
    assert len(found) == len(set(found))
    assert all(1 <= len(run.split(" ")) <= longest for run in found)


@pytest.mark.parametrize(
    ("question", "name", "is_named"),
    [
        ("is it practise or practice", "IT", False),
        ("It is late, is it not?", "IT", False),
        ("does the man from IT know it?", "IT", True),
        ("will it rain", "Will", False),
        ("What did Will say?", "Will", True),
        ("what does anna do", "Anna", True),
        ("Will: the budget", "Will", True),
    ],
)
def test_a_function_word_of_a_question_is_no_name_without_a_capital(question: str, name: str, is_named: bool) -> None:
    assert (stemmed_name(name) in names_in_question(question)) is is_named


_PARTS = ("Ann", "ann", "O'Neil", "Mc", "A1", "7", "_", "-", ".", "'", "@", "/", "\\", " ", "\n", ", ", "U.S.", "Smith")
_ANYBODY = dict.fromkeys(("ann", "o'neil", "mcann", "a1", "smith", "u.", "u.s", "7"), 2)


@given(st.lists(st.sampled_from(_PARTS) | st.text(st.characters(codec="ascii"), max_size=3)).map("".join))
def test_ascii_text_gives_the_same_finds_as_any_text(text: str) -> None:
    """A faster pattern reads ASCII; a space that is not ASCII makes the text another one."""
    assert runs(text, _ANYBODY) == runs(f"{text}\N{NO-BREAK SPACE}", _ANYBODY)
    assert proper_terms(text) == proper_terms(f"{text}\N{NO-BREAK SPACE}")


def test_runs_are_words_that_begin_like_a_name() -> None:
    found = runs("Yesterday Ann Smith met ann at O'Neil's; mail x@Ann.org", _ANYBODY)
    assert [run.text for run in found] == ["Ann", "Ann Smith", "Smith", "Smith met", "O'Neil's"]


TOLD = {
    "Ann lives in Berlin. Ann works at Acme.": "English",
    "Greta wohnt in Leipzig und arbeitet bei der Post.": "German",
    "Anne habite à Lyon avec ses deux chats.": "French",
    "Anna vive en Lisboa con su perro.": "Spanish",
    "A Ana mora em Lisboa e tem dois gatos.": "Portuguese",
    "Anna vive a Roma con il suo cane.": "Italian",
    "Anna woont in Utrecht met haar hond.": "Dutch",
    "Anna mieszka w Krakowie i pracuje na poczcie.": "Polish",
    "Анна живёт в Казани.": "CYRILLIC",
    "アンナは京都に住んでいます。": "CJK",
}


@pytest.mark.parametrize(("text", "name"), TOLD.items())
def test_the_language_of_a_sentence_is_recognised(text: str, name: str) -> None:
    assert language(text) == name
    assert is_spoken(name, text)
    assert not any(is_spoken(other, text) for other in ("English", "German") if other != name)


@pytest.mark.parametrize("text", ["Ann plays cello.", "", "12 34", "Greta wohnt in Leipzig."])
def test_few_words_have_no_language(text: str) -> None:
    assert language(text) is None
    assert is_spoken("English", text)


def test_a_mixed_text_has_both_languages() -> None:
    text = "Ich habe das nicht mit der Bahn gemacht. He said that the train was late, and it was."
    assert is_spoken("English", text)
    assert is_spoken("German", text)
