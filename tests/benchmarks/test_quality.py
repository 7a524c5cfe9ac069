"""What a set of questions reports, over real stores of a small folder."""

from pathlib import Path

import pytest

from benchmarks import ablation, factconsolidation, locomo, longmemeval, xquad
from benchmarks.bench import Options, opened
from benchmarks.data import DataFolder, DataMissing
from benchmarks.measure import tokens
from benchmarks.quality import QuestionSet, answered, recall
from benchmarks.report import Figure
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory import Memory

_SETS = (locomo.QUESTIONS, longmemeval.QUESTIONS, factconsolidation.QUESTIONS, xquad.QUESTIONS)


def _measured(questions: QuestionSet, data: Path) -> dict[str, Figure]:
    with opened(DataFolder(data), Options(), None) as bench:
        return {figure.name: figure for figure in questions.measure(bench)}


async def test_scores_count_any_and_all_evidence_at_a_depth(tmp_path: Path) -> None:
    async with Memory.open(tmp_path) as memory:
        for place, said in enumerate(("a red kite", "a red kite again", "a red kite a third time")):
            await memory.observe("user", said, key=f"k{place}")
        hits = await memory.search("red kite", limit=3)
    keys = [str(hit.key) for hit in hits]
    assert recall(hits, {keys[0], "never said"}, 1) == {"recall@1": 0.5, "all@1": 0.0}
    assert recall(hits, {keys[0], keys[2]}, 1, 3) == {"recall@1": 0.5, "all@1": 0.0, "recall@3": 1.0, "all@3": 1.0}


def test_locomo_is_scored(data: Path) -> None:
    figures = _measured(locomo.QUESTIONS, data)
    assert figures["recall@50"].value == 1.0, "twelve turns a conversation"
    assert figures["recall@5"].detail["questions"] == 8
    assert set(figures["recall@5"].detail["by_category"]) == {"multi_hop", "open_domain", "single_hop", "temporal"}
    assert figures["multi_hop recall@10"].detail["questions"] == 2
    assert figures["recall@10, adversarial"].detail["questions"] == 2
    assert figures["recall in 500 tokens"].value == 1.0
    assert figures["share of blocks over their budget"].value == 0.0
    assert figures["confidence, adversarial questions: AUROC"].value is not None


def test_longmemeval_is_scored(data: Path) -> None:
    figures = _measured(longmemeval.QUESTIONS, data)
    assert figures["recall@5"].value == figures["all@5"].value == 1.0, "five turns a store"
    assert figures["recall@5"].detail["questions"] == 2
    assert figures["updates: current before superseded"].value in (0.0, 1.0)
    assert figures["updates: superseded found in 50"].value == 1.0
    assert figures["confidence, abstention: AUROC"].value == 1.0
    in_a_block = figures["words of the answer in a block of 500 tokens"]
    assert (in_a_block.value, in_a_block.detail["questions"]) == (1.0, 1), "of one the answer is known"


def test_factconsolidation_is_scored(data: Path) -> None:
    figures = _measured(factconsolidation.QUESTIONS, data)
    current, stale = figures["current@1 where superseded"].value, figures["stale@1"].value
    assert current is not None
    assert stale == 1 - current
    assert figures["current@1"].detail["by_category"]["never superseded"]["value"] == 1.0
    assert figures["history: superseded found in 5"].value == 1.0


def test_xquad_is_scored(data: Path) -> None:
    figures = _measured(xquad.QUESTIONS, data)
    assert {name: figure.value for name, figure in figures.items() if "ru-en" not in name} == {
        "recall@10 ru-ru": 1.0,
        "recall@10 zh-zh": 1.0,
        "recall@10 en-en": 1.0,
    }


async def test_several_configurations_share_the_same_stores(data: Path) -> None:
    with opened(DataFolder(data), Options(), None) as bench:
        units = locomo.QUESTIONS.units(bench.data)
        once, again, words = await answered(bench, units, [{}, {}, {"without": ["vector"]}], blocks=False)
    assert once == again
    assert [row.id for row in words] == [row.id for row in once]


@pytest.mark.parametrize("questions", _SETS, ids=lambda each: each.name)
def test_a_missing_set_is_named(questions: QuestionSet, tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=str(tmp_path / questions.name)):
        questions.units(DataFolder(tmp_path))


def test_tokens_are_counted_by_the_embedded_tokenizer() -> None:
    text = "Bruno, the tortoise:\n  sleeps in a box.\n\nИ ест салат."
    assert tokens(text) == WordLlamaEmbedder().count_tokens([text])[0]


def test_the_ablation_shows_every_configuration_of_the_sets_there_are(data: Path) -> None:
    with opened(DataFolder(data / "xquad"), Options(), None) as bench:
        figures = ablation.measure(bench)
    assert [figure.name for figure in figures] == [f"xquad: {name}" for name in ablation.configurations()]
    assert figures[0].value == 1.0
    assert "recall@10 zh-zh 1.000" in figures[0].note
