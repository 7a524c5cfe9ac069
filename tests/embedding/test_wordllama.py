"""The embedded provider, compared with the library that it replaces, and with extreme texts."""

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.embedding.byte_pairs import BytePairs
from sandbox.extensions.embedding.errors import InvalidSetting, ModelUnreadable
from sandbox.extensions.embedding.texts import MAX_CHARACTERS, well_formed
from sandbox.extensions.embedding.wordllama import load, package_folder

ANY_TEXT = st.text(st.characters())
TEXTS = [
    "I adopted a dog called Rex.",
    "Меня зовут Анна, я живу в Порту.",
    "我住在北京。",
    "😀 naïve café\n\n  two  spaces\t",
    "a",
    "The quick brown fox jumps over the lazy dog. " * 20,
]
LIBRARY = """
import json, sys
from wordllama import WordLlama
model = WordLlama.load(dim=256, disable_download=True)
print(json.dumps(model.embed(json.loads(sys.stdin.read()), norm=True).tolist()))
"""


async def test_vectors_equal_those_of_the_library(wordllama: WordLlamaEmbedder, tmp_path: Path) -> None:
    """The library runs in a process of its own, because its import configures logging. It looks for its tokenizer only
    in the home of the user.
    """
    copytree(package_folder() / "tokenizers", tmp_path / ".cache" / "wordllama" / "tokenizers")
    environment = {**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    command = [sys.executable, "-c", LIBRARY]
    library = await asyncio.to_thread(
        subprocess.run, command, input=json.dumps(TEXTS), capture_output=True, text=True, check=True, env=environment
    )
    np.testing.assert_allclose(await wordllama.embed_batch(TEXTS), json.loads(library.stdout), atol=1e-5)


@settings(deadline=None, max_examples=40)
@given(st.lists(ANY_TEXT, max_size=8))
def test_a_batch_equals_its_texts_one_by_one(texts: list[str]) -> None:
    """Any unicode, with lone surrogates and NUL, has a unit vector; the empty text has zeros."""

    async def both() -> None:
        wordllama = WordLlamaEmbedder()
        batch = await wordllama.embed_batch(texts)
        assert batch.shape == (len(texts), 256)
        assert batch.dtype == np.float32
        for row, text in zip(batch, texts, strict=True):
            np.testing.assert_array_equal([row], await wordllama.embed_batch([text]))
            assert np.linalg.norm(row) == pytest.approx(1.0 if text else 0.0, abs=1e-5)

    asyncio.run(both())


async def test_the_halves_of_an_emoji_are_joined(wordllama: WordLlamaEmbedder) -> None:
    halves, whole = await wordllama.embed_batch(["\ud83d\ude00 and \ud83d", "😀 and \N{REPLACEMENT CHARACTER}"])
    np.testing.assert_array_equal(halves, whole)


async def test_a_batch_that_goes_to_a_thread_equals_its_texts_one_by_one(wordllama: WordLlamaEmbedder) -> None:
    texts = [f"turn {number} of a conversation" * (number % 7) for number in range(300)]
    batch = await wordllama.embed_batch(texts)
    np.testing.assert_array_equal(batch, np.concatenate([await wordllama.embed_batch([text]) for text in texts]))


async def test_a_huge_text_costs_no_more_than_its_beginning(wordllama: WordLlamaEmbedder) -> None:
    """One text of a megabyte among short ones, like a pasted log file."""
    huge = "stack trace line " * 60_000
    batch = await wordllama.embed_batch(["short", huge, "also short"])
    np.testing.assert_array_equal(batch[1:2], await wordllama.embed_batch([huge[:MAX_CHARACTERS]]))


async def test_fewer_dimensions_are_the_first_ones_at_unit_length() -> None:
    full, small = WordLlamaEmbedder(), WordLlamaEmbedder(dimensions=64)
    first = (await full.embed_batch(["a dog"]))[:, :64]
    np.testing.assert_allclose(await small.embed_batch(["a dog"]), first / np.linalg.norm(first), atol=1e-5)
    assert (full.model_id, small.model_id) == ("wordllama/l2_supercat/256", "wordllama/l2_supercat/64")
    assert (full.dimensions, small.dimensions) == (256, 64)


def test_other_dimensions_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="`dimensions` must be one of"):
        WordLlamaEmbedder(dimensions=100)


def test_tokens_are_counted_without_special_ones_and_over_the_whole_text(wordllama: WordLlamaEmbedder) -> None:
    """ "▁Hello", "▁world" and "!" are tokens of Llama 2. For a long text all parts are counted, exact to one token for
    each piece of 8,000 characters that nothing divides.
    """
    assert wordllama.count_tokens(["Hello world!", ""]) == [3, 0]
    assert wordllama.count_tokens(["word" + " word" * 20_000])[0] == 20_001
    assert wordllama.count_tokens(["word" * 20_000])[0] == pytest.approx(20_000, rel=0.01)


async def test_words_can_weigh_more_than_others(wordllama: WordLlamaEmbedder) -> None:
    dog, name = await wordllama.embed_batch(["dog", "Rex"])
    mostly_dog = wordllama.embed_words(["dog", "Rex"], [3.0, 0.5])
    assert mostly_dog is not None
    assert np.linalg.norm(mostly_dog) == pytest.approx(1, abs=1e-5)
    assert mostly_dog @ dog > mostly_dog @ name
    nothing = wordllama.embed_words(["dog"], [0.0])
    assert nothing is not None
    assert not nothing.any()
    assert WordLlamaEmbedder().embed_words(["dog"], [1.0]) is None


PIECES = [" ", "  ", "\n", "\r\n", "\t", "a", "the", "Ann:", "- ", "й", "漢", "🎹", "e\u0301", "\u2581", "\xa0", "\x00"]
MARKS = ["<s>", "</s>", "<0x0A>", "<", ">", "'s", '"', ".", "1", "2026", "_", "http://x.y/z?q=1", "x" * 40]


MADE_TEXTS = st.lists(st.lists(st.sampled_from(PIECES + MARKS), max_size=14).map("".join) | ANY_TEXT, max_size=8)


@settings(deadline=None, max_examples=300)
@given(MADE_TEXTS)
def test_counting_by_words_is_counting_the_whole(texts: list[str]) -> None:
    whole = load(package_folder(), 256).pairs.tokenizer.encode_batch(
        list(map(well_formed, texts)), add_special_tokens=False
    )
    assert WordLlamaEmbedder().count_tokens(texts) == list(map(len, whole))


@settings(deadline=None, max_examples=60)
@given(MADE_TEXTS)
def test_tokens_of_a_few_words_are_those_of_the_tokenizer(texts: list[str]) -> None:
    """A process that asks one question joins them from the vocabulary by itself."""
    texts = list(map(well_formed, texts))
    (file,) = (package_folder() / "tokenizers").glob("l2_supercat*")
    whole = load(package_folder(), 256).pairs.tokenizer.encode_batch(texts, add_special_tokens=False)
    assert BytePairs(file).tokens(texts) == [each.ids for each in whole]


@settings(deadline=None, max_examples=150)
@given(MADE_TEXTS)
def test_vectors_made_here_are_those_of_the_whole_texts(texts: list[str]) -> None:
    """They are equal to the last bit."""
    np.testing.assert_array_equal(
        WordLlamaEmbedder().embed_here(texts), asyncio.run(WordLlamaEmbedder().embed_batch(texts))
    )


async def test_the_event_loop_stays_free_while_a_large_batch_is_embedded(wordllama: WordLlamaEmbedder) -> None:
    """The work takes about 0.2 s; meanwhile other tasks of the loop run many times."""
    await wordllama.embed_batch(["what reads the whole tokenizer"] * 1_000)
    work = asyncio.create_task(wordllama.embed_batch(["a turn of some length, as people write them " * 3] * 6_000))
    longest = 0.0
    while not work.done():
        started = time.perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, time.perf_counter() - started)
    assert longest < 0.1


async def test_the_model_is_read_once_however_many_ask_for_it() -> None:
    models = await asyncio.gather(*(WordLlamaEmbedder().warm() for _ in range(8)))
    assert len(set(map(id, models))) == 1


async def test_a_missing_or_damaged_model_makes_the_provider_unhealthy(tmp_path: Path) -> None:
    embedder = WordLlamaEmbedder(folder=tmp_path)
    with pytest.raises(ModelUnreadable, match=str(tmp_path)):
        await embedder.embed_batch(["a dog"])
    (tmp_path / "tokenizers").mkdir()
    (tmp_path / "tokenizers" / "l2_supercat_tokenizer_config.json").write_text("{")
    with pytest.raises(ModelUnreadable):
        embedder.count_tokens(["a dog"])


def test_a_token_beyond_the_weights_does_not_crash() -> None:
    """A tokenizer with more tokens than the weights have rows uses the last row, as the library does."""
    model = load(package_folder(), 256)
    shorter = type(model)(model.pairs, model.half[:100], 256)
    assert np.linalg.norm(shorter.vectors(["a dog"])) == pytest.approx(1.0, abs=1e-5)
