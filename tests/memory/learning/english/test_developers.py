"""Projects, tools and conventions, as told to coding assistants."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


def test_where_it_runs(learnt: Learnt) -> None:
    """
    2026-02-10 user: we deploy with Fly, the config is in fly.toml. why does the healthcheck fail?
        | ```
        | [checks.alive]
        | port = 8080
        | ```
    2026-02-10 assistant: The app listens on 3000.
    """
    assert learnt.knows("deploy", "Fly")
    assert not learnt.knows("alive|8080|3000")


def test_a_database_with_its_version(learnt: Learnt) -> None:
    """
    2026-02-10 user: our staging db is Postgres 16
    """
    assert learnt.knows("staging", "Postgres 16")


def test_an_upgrade_replaces_the_version(learnt: Learnt) -> None:
    """
    2026-02-10 user: Our staging database is Postgres 14.
    2026-04-01 user: FYI our staging database is Postgres 16 now.
    """
    assert learnt.knows("Postgres 16")
    assert not learnt.claims("Postgres 14")
    assert learnt.knew("Postgres 14")


def test_conventions_of_a_repository(learnt: Learnt) -> None:
    """
    2026-02-10 user: In this repo we use pnpm, not npm. Tests live next to the code as *.spec.ts files.
    """
    assert learnt.knows("pnpm")
    assert learnt.knows(r"tests?", r"\*?\.?spec\.ts|next to")


def test_a_stack_in_one_message(learnt: Learnt) -> None:
    """
    2026-02-10 user: Some background. I'm building a booking app called Plover. The backend is written in Go and the
        frontend uses SvelteKit. Can you suggest a folder layout?
    """
    assert learnt.knows("Plover")
    assert learnt.knows(r"Go\b")
    assert learnt.knows("SvelteKit")
    assert not learnt.knows("suggest|folder")


async def test_a_project_is_an_entity(learnt: Learnt, memory: Memory) -> None:
    """
    2026-02-10 user: My project is called Heron, it's a feed reader.
    """
    assert learnt.knows("Heron")
    assert (await memory.entity("Heron")).facts


def test_a_migration(learnt: Learnt) -> None:
    """
    2026-02-10 user: We use MySQL for the shop.
    2026-03-25 user: We switched from MySQL to MariaDB last weekend.
    """
    assert learnt.knows("MariaDB")
    assert not learnt.claims("uses? MySQL")


def test_an_agent_at_work_teaches_nothing(learnt: Learnt) -> None:
    """
    2026-02-10 user: fix the failing test in tests/test_parser.py
    2026-02-10 assistant: I'll run it first.
    2026-02-10 tool: FAILED tests/test_parser.py::test_empty - AssertionError: assert None == []
        | We use pytest 8.3. My config prefers short tracebacks.
    2026-02-10 assistant: The parser returns None for an empty file. I prefer returning an empty list. Done, all green.
    2026-02-10 user: commit it
    """
    assert learnt.nothing


def test_where_things_are(learnt: Learnt) -> None:
    """
    2026-02-10 user: The feature flags live in config/flags.yaml and the CI runs on self-hosted runners.
    """
    assert learnt.knows("flags", r"config/flags\.yaml")
    assert learnt.knows("CI", "self-hosted")
