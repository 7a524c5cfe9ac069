"""Every error of the memory says to an assistant what was wrong and what to do next."""

from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.extensions.memory import errors
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.interfaces.tooling import refusal

DETAILS: dict[str, Any] = {
    "change": 21,
    "limit": 200,
    "id": "aB3xY9kQ",
    "ids": "aB3xY9kQ",
    "kinds": "password",
    "name": "Ann",
    "state": "forgotten",
    "advice": "restore it first",
    "argument": "after",
    "value": "the words of a person",
    "place": "process",
    "host": "127.0.0.1",
    "port": 8377,
    "kept": "in a copy",
    "expected": "give YYYY-MM-DD",
    "problem": "is empty",
    "meant": 1,
    "needed": "user",
    "trust": "web",
    "path": "/home/ann/memory.db",
    "file": "config.yaml",
    "session": "s0",
    "step": "gossip",
    "key": "purge_days",
    "model": "wordllama",
    "found": 9,
    "known": 1,
    "seconds": 15,
    "user": "",
    "agent": "planner",
    "category": "fact",
    "allowed": "project",
    "stored": 500,
}


def family(error: type[MemoryExtensionError]) -> Iterator[type[MemoryExtensionError]]:
    yield error
    for child in error.__subclasses__():
        yield from family(child)


def said(error: type[MemoryExtensionError]) -> tuple[str, str]:
    refused = refusal(error(**DETAILS))
    return refused.problem, refused.advice


@pytest.mark.parametrize("error", sorted(family(MemoryExtensionError), key=str))
def test_every_error_has_a_problem_and_advice(error: type[MemoryExtensionError]) -> None:
    problem, advice = said(error)
    for sentence in (problem, advice):
        assert sentence.endswith(".")
        assert not {"{", "}"} & set(sentence)
        assert DETAILS["value"] not in sentence
        assert DETAILS["path"] not in sentence


@pytest.mark.parametrize(
    ("error", "problem", "advice"),
    [
        (errors.UnknownMemory, "aB3xY9kQ", "search_memory"),
        (errors.UnknownEntity, "name", "search_memory"),
        (errors.SecretRefused, "password", "Tell the user"),
        (errors.SimilarMemory, "aB3xY9kQ", "correct_fact"),
        (errors.LessTrusted, "web", "ask which is right"),
        (errors.NotCurrent, "forgotten", "/memory restore aB3xY9kQ"),
        (errors.InvalidContent, "is empty", "one fact"),
        (errors.InvalidArgument, "`after`", "give YYYY-MM-DD"),
        (errors.DatabaseBusy, "locked", "once more"),
        (errors.DiskFull, "full", "do not say that it was saved"),
        (errors.DatabaseReadOnly, "only be read", "do not say that it was saved"),
        (errors.StoreClosed, "closed", "without the memory"),
        (errors.DatabaseDamaged, "cannot be used", "without the memory"),
    ],
)
def test_the_advice_fits(error: type[MemoryExtensionError], problem: str, advice: str) -> None:
    refused = said(error)
    assert problem in refused[0]
    assert advice in refused[1]
