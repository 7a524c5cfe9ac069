"""The glossary and the pages that point into the source: every term is used, every place exists."""

import re

import pytest

from tests.test_docs import ROOT

MEMORY = ROOT / "sandbox" / "extensions" / "memory"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
SPECIFICATIONS = (ROOT / "docs" / "specifications.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
ROWS = [row.split(" | ") for row in re.findall(r"^\| (\*\*.+) \|$", GLOSSARY, re.MULTILINE)]
DEMANDS = re.findall(r"^\| (.+) \| (Yes|Other|No) \| (.*?) \| (.*?)\|$", SPECIFICATIONS, re.MULTILINE)
CHANGES = [row for row in CONTRIBUTING.split("## What a first")[0].splitlines() if re.match(r"\| (an?|consent) ", row)]


@pytest.fixture(scope="module")
def source() -> str:
    """The code and the other pages, without underscores and case."""
    pages = [path for path in (ROOT / "docs").glob("*.md") if path.name != "glossary.md"]
    files = [*(ROOT / "sandbox").rglob("*.py"), *pages, ROOT / "ARCHITECTURE.md"]
    return "\n".join(path.read_text(encoding="utf-8") for path in files).replace("_", " ").lower()


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip("*") for row in ROWS])
def test_a_term_is_used_and_its_place_exists(row: list[str], source: str) -> None:
    term, _, places = row
    assert re.search(rf"\b{re.escape(term.strip('*').lower())}", source)
    for place in re.findall(r"`(.+?)`", places):
        assert (ROOT if place.startswith("sandbox/") else MEMORY).joinpath(place).exists(), place


def test_every_row_is_read() -> None:
    """A term stands once, and every demand has a verdict."""
    terms = [row[0] for row in ROWS]
    assert len(terms) == len(set(terms)) > 50
    rows = [line for line in SPECIFICATIONS.splitlines() if line.startswith("| ") and not line.startswith("| demand")]
    assert len(DEMANDS) == len(rows) > 80
    assert len(CHANGES) >= 12


@pytest.mark.parametrize("page", [SPECIFICATIONS, SECURITY], ids=["specifications", "security"])
def test_the_evidence_of_a_demand_exists(page: str) -> None:
    named = re.findall(r"`((?:tests|sandbox)/[\w./]+)`", page)
    assert named
    for place in named:
        assert (ROOT / place).exists(), place
    attacks = {path.stem for path in (ROOT / "tests" / "attacks" / "families").glob("*.py")}
    said = re.findall(r"the attacks? ((?:`\w+`(?:, )?)+)", page) + re.findall(r"tests\.attacks ([a-z]\w+)`", page)
    assert set(re.findall(r"\w+", " ".join(said))) <= attacks


@pytest.mark.parametrize("demand", DEMANDS, ids=[each[0][:40] for each in DEMANDS])
def test_the_place_of_a_demand_exists(demand: tuple[str, str, str, str]) -> None:
    _, verdict, where, shown = demand
    for place in re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:/|\.(?:py|sql|yaml)))`", where):
        root = ROOT if place.startswith(("sandbox/", "tests/")) else MEMORY
        assert (root / place).exists(), place
    assert verdict == "No" or shown.strip()


@pytest.mark.parametrize("row", CHANGES, ids=[row.split(" | ")[0].strip("| ") for row in CHANGES])
def test_the_files_of_a_change_exist(row: str) -> None:
    _, files, also = row.strip("| ").split(" | ", 2)
    named = [path for path in re.findall(r"`([^`]+)`", files + also) if "/" in path]
    assert "/" in files
    for path in named:
        assert (ROOT / path).exists(), path
