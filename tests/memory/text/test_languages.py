"""The language of a text by its function words; without them it is unknown."""

import pytest

from sandbox.extensions.memory.text.languages import is_spoken, language

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
