"""The kind of answer that a question wants; one that asks how gets a procedure."""

from collections.abc import Sequence

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.model import Intent
from sandbox.extensions.memory.retrieve.query import DEPTH_COMPLEX, DEPTH_SIMPLE, analyse, intent_of
from tests.memory.hits import contents

QUESTIONS: Sequence[tuple[str, Intent]] = (
    ("Why did we leave Acme?", "why"),
    ("How come the build fails?", "why"),
    ("What was the reason for the move?", "why"),
    ("What caused the outage?", "why"),
    ("Почему мы переехали?", "why"),
    ("Из-за чего сломалась сборка?", "why"),
    ("WHEN DID WE MEET?", "when"),
    ("What time is the dentist?", "when"),
    ("How long ago did Ann call?", "when"),
    ("Когда мы познакомились?", "when"),
    ("В каком году это было?", "when"),
    ("Do you know when the rent is due?", "when"),
    ("Ты помнишь, когда мы переехали?", "when"),
    ("Who helped me when I moved?", "who"),
    ("What did Ann say when we met?", "what"),
    ("How old was I when we moved?", "general"),
    ("Что сказала Анна, когда мы познакомились?", "what"),
    ("Who is Ann's brother?", "who"),
    ("Whose bicycle is it?", "who"),
    ("Кто такой Пётр?", "who"),
    ("С кем я ездил в Порту?", "who"),
    ("What does Ann like?", "what"),
    ("Which editor do I use?", "what"),
    ("Tell me about Porto.", "what"),
    ("Где живёт Анна?", "what"),
    ("Какой у меня редактор?", "what"),
    ("Warum sind wir umgezogen?", "why"),
    ("Aus welchem Grund ist der Build kaputt?", "why"),
    ("Was war der Grund für den Umzug?", "why"),
    ("Wann haben wir uns kennengelernt?", "when"),
    ("Weißt du, wann die Miete fällig ist?", "when"),
    ("In welchem Jahr war das?", "when"),
    ("Seit wann wohne ich hier?", "when"),
    ("Wer hat mir geholfen, als ich krank war?", "who"),
    ("Mit wem war ich in Porto?", "who"),
    ("Wo wohnt Anna?", "what"),
    ("Was mag Anna?", "what"),
    ("Welchen Editor benutze ich?", "what"),
    ("Was it the red one?", "general"),
    ("Was Ann there when we met?", "when"),
    ("Write a haiku.", "general"),
    ("Продолжай, пожалуйста.", "general"),
    ("", "general"),
    ("Whyever 什么", "general"),
)


@pytest.mark.parametrize(("question", "intent"), QUESTIONS)
def test_keywords_of_every_language(question: str, intent: Intent) -> None:
    assert intent_of(question) == intent


COMPLEX = [
    "Why did we leave?",
    "Compare Porto and Lisbon.",
    "Give me an overview.",
    "How did we fix the build?",
    "Where is it? And whose?",
    "Сравни Порту и Лиссабон.",
    "Расскажи подробно про переезд.",
    "Vergleiche Porto und Lissabon.",
    "I wonder where in the old town the small restaurant was that we both liked",
    "Which gifts did I get?",
    "What kinds of tea does Ann drink?",
    "Where has she been?",
    "How often do I run?",
    "What has Bob done?",
    "What pets does Nate have?",
    "What are the names of John's children?",
    "What people has Maria met?",
    "Which allergy-friendly cakes did we bake?",
    "Who else came?",
    "Какие подарки я получил?",
    "Где она бывала?",
    "Сколько раз я бегал?",
    "Что ещё она купила?",
    "Welche Geschenke habe ich bekommen?",
    "Wie oft gehe ich laufen?",
    "Was hat sie noch gekauft?",
]
SIMPLE = [
    "Where does Ann live?",
    "Кто такой Пётр?",
    "",
    "port of the staging server",
    "What is my sister's name?",
    "What does this do?",
    "Which bus goes there?",
    "What is his job?",
    "What makes a good pizza?",
    "Who was at the door?",
    "Где она живёт?",
    "Wo wohnt sie?",
    "Welche ist die rote?",
    "Какой у меня порт?",
]


@pytest.mark.parametrize("question", COMPLEX + SIMPLE)
def test_only_complex_questions_are_walked_further(question: str) -> None:
    query = analyse(question)
    assert query.is_complex == (question in COMPLEX)
    assert query.depth == (DEPTH_COMPLEX if query.is_complex else DEPTH_SIMPLE)


def test_a_pasted_page_is_bounded() -> None:
    page = " ".join(f"word{index} Name{index}" for index in range(20_000))
    query = analyse(page)
    assert len(query.terms) <= 48
    assert len(query.runs) <= 600


def test_terms_of_a_query_are_distinct_and_in_order() -> None:
    assert analyse("Berlin, Porto, berlin!").terms == ("berlin", "porto")


FEEDING = "To feed the rye starter: 1. Take 100 g starter, 100 g rye flour and 100 g water. 2. Wait for twelve hours."
SAUERTEIG = "Um den Sauerteig zu füttern: 1. Nimm 100 g Roggenmehl. 2. Warte zwölf Stunden."
LEAVEN = "Чтобы покормить закваску: 1. Взять 100 г ржаной муки. 2. Подождать двенадцать часов."


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        (FEEDING, "How is the rye starter fed?"),
        (FEEDING, "How do I feed the rye starter?"),
        (FEEDING, "how to feed rye starter"),
        (FEEDING, "What are the steps for feeding the rye starter?"),
        (SAUERTEIG, "Wie füttere ich den Sauerteig?"),
        (SAUERTEIG, "Wie wird der Sauerteig gefüttert?"),
        (LEAVEN, "Как кормить закваску?"),
        (LEAVEN, "Как мы кормим закваску?"),
    ],
)
async def test_a_prompt_that_asks_how_gets_the_procedure(memory: Memory, known: str, asked: str) -> None:
    await memory.remember(known, type="procedural")
    await memory.observe("user", "The rye bread sold out again, such a day.", session="s1")
    assert known in contents(await memory.context(asked))
    first, *_ = await memory.search(asked)
    assert first.content == known


@pytest.mark.parametrize(
    "asked",
    [
        "Who fed the rye starter?",
        "How old is the rye starter?",
        "How much rye starter is there?",
        "How much rye starter was made?",
        "How often was the rye starter fed?",
        "Wie alt ist der rye starter?",
        "Сколько лет rye starter?",
    ],
)
async def test_other_prompts_get_no_procedure(memory: Memory, asked: str) -> None:
    await memory.remember(FEEDING, type="procedural")
    await memory.remember("Feed the rye starter with care.", type="procedural", category="instruction")
    await memory.remember("The rye starter came from Anna.")
    assert contents(await memory.context(asked)) == ["The rye starter came from Anna."]
