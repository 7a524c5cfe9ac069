"""How a project is done, in the few words people have for it; and one thing instead of another."""

import pytest

from tests.memory.learning.knowledge import Learnt


@pytest.mark.parametrize(
    "words",
    [
        ("uses bun",),
        ("never uses yarn",),
        ("prod is on Scaleway",),
        ("preprod", "preprod.example.net"),
        ("master is protected",),
        ("PRs need two approvals",),
        ("PRs are squash-merged",),
        ("API lives in packages/api",),
        ("spaces, not tabs",),
        ("production is on Render",),
    ],
)
def test_conventions(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: We use bun in this repo, never yarn.
    2026-02-03 user: prod is on Scaleway and preprod is at preprod.example.net
    2026-02-03 user: master is protected, PRs need two approvals
    2026-02-04 user: PRs are squash-merged
    2026-02-04 user: the API lives in packages/api
    2026-02-05 user: spaces, not tabs
    2026-02-05 user: Our staging server is stage.example.net and production is on Render.
    """
    assert learnt.knows(*words)


def test_how_it_is_just_now(learnt: Learnt) -> None:
    """
    2026-02-03 user: prod is down
    2026-02-03 user: is prod on Scaleway?
    2026-02-03 user: staging is at 90% CPU
    2026-02-04 user: master is broken
    2026-02-04 user: the bug lives in packages/api
    2026-02-04 user: PRs need work
    2026-02-05 user: If prod were on Scaleway we'd save money.
    2026-02-05 user: tea, not coffee
    """
    assert learnt.nothing


def test_the_verb_goes_on_with_the_new(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm learning Korean. I play squash. I drink coffee every morning.
    2026-05-03 user: I stopped learning Korean, doing Japanese instead
    2026-05-03 user: I quit squash, playing badminton instead
    2026-05-03 user: I switched from coffee to tea
    """
    assert learnt.claims("is learning Japanese")
    assert learnt.claims("plays badminton")
    assert learnt.claims("drinks tea")
    for old in (("is learning Korean",), ("plays squash",), ("drinks coffee",)):
        assert not learnt.claims(*old)
        assert learnt.knew(*old)


def test_chosen_instead(learnt: Learnt) -> None:
    """
    2026-02-03 user: We use Oracle. We use Vue. I'm learning Korean.
    2026-05-03 user: we went with Postgres instead of Oracle
    2026-05-03 user: We ended up going with Svelte over Vue
    2026-05-03 user: I'm learning Thai instead of Korean now.
    """
    assert learnt.claims("uses Postgres")
    assert learnt.claims("uses Svelte")
    assert learnt.claims("is learning Thai")
    for old in ("Oracle", "Vue", "Korean"):
        assert not learnt.knows(old)


def test_nothing_goes_on(learnt: Learnt) -> None:
    """
    2026-02-03 user: Should we go with Postgres instead of Oracle?
    2026-02-03 user: Maybe I'll learn Thai instead
    2026-02-03 user: We chose Italy over Spain
    2026-02-03 user: We picked Anna over Bob
    2026-02-04 user: I stopped by the store, buying milk instead
    2026-02-04 user: I had tea instead of coffee today
    2026-02-04 user: If we went with Svelte instead of Vue, it would be quicker.
    """
    assert learnt.nothing
