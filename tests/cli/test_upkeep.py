"""`weak`, `stats`, `maintain`, `doctor`."""

from tests.cli.conftest import Cli


def test_what_fades_first_comes_first(cli: Cli) -> None:
    cli.directly(lambda memory: memory.remember("Ann likes tea."), days_ago=30)
    old = cli.data("weak")[0]["id"]
    cli.remembered("Ann likes cake.")
    assert [record["content"] for record in cli.data("weak")] == ["Ann likes tea.", "Ann likes cake."]
    assert [record["content"] for record in cli.data("weak", "--limit", "1")] == ["Ann likes tea."]
    shown = cli.fine("weak")
    assert shown.startswith(f"{old}  fades on 20")
    assert "memory confirm ID" in shown


def test_nothing_fades_where_nothing_is(cli: Cli) -> None:
    assert cli.fine("weak") == "Nothing is fading.\n"
    assert cli.data("weak") == []


def test_the_night_retires_what_has_faded(cli: Cli) -> None:
    id = cli.directly(lambda memory: memory.remember("Ann likes tea."), days_ago=200)
    planned = cli.fine("maintain", "--dry-run")
    assert planned.startswith("1 memory has faded, to be retired:\n")
    assert id in planned
    assert "Ann likes tea." in planned
    assert cli.data("stats")["retired"] == {}
    assert cli.fine("maintain").startswith("1 memory has faded, retired:\n")
    assert cli.fine("maintain") == "Nothing has faded.\n"
    assert cli.data("stats")["retired"] == {"decayed": 1}
    assert "faded on" in cli.fine("explain", id)


def test_the_night_does_not_show_what_others_remember(cli: Cli) -> None:
    async def remember(memory: object) -> None:
        from sandbox.extensions.memory import Memory, Scope

        assert isinstance(memory, Memory)
        await memory.remember("Ann likes tea.", scope=Scope(user_id="ann"))

    cli.directly(remember, days_ago=200)
    shown = cli.fine("maintain", "--dry-run")
    assert shown.startswith("1 memory has faded")
    assert "tea" not in shown


def test_maintenance_for_programs(cli: Cli) -> None:
    report = cli.data("maintain", "--dry-run")
    assert (report["dry_run"], report["pruned"], report["embedding_backlog"]) == (True, [], 0)


def test_statistics_are_a_table(ann: Cli) -> None:
    shown = ann.fine("stats")
    assert "memories              4 (4 episodic)\n" in shown
    assert "conversations         3 (3 not yet learnt from)\n" in shown
    assert "last maintained       never\n" in shown


def test_a_sound_memory_is_healthy(ann: Cli) -> None:
    shown = ann.fine("doctor")
    assert f"home          {ann.home}" in " ".join(shown.split("\n")) or str(ann.home)[:40] in shown
    assert "ok    integrity" in shown
    assert "WRONG" not in shown
    report = ann.data("doctor")
    assert report["ok"] is True
    assert report["home"] == str(ann.home)
    assert {"integrity", "full text", "embedding"} <= {check["name"] for check in report["checks"]}


def test_a_provider_that_does_not_answer_is_reported_and_words_go_on(cli: Cli) -> None:
    """The provider's port is closed."""
    cli.home.mkdir()
    (cli.home / "config.yaml").write_text(
        "embedding: {provider: openai, model: m, dimensions: 8, base_url: 'http://127.0.0.1:9/v1', timeout: 0.05}\n"
    )
    answer = cli("remember", "Ann likes tea.")
    assert answer.code == 0
    assert "Note: The embedding provider openai/m/8" in answer.err
    found = cli("search", "tea", "--json")
    assert [hit["content"] for hit in found.json] == ["Ann likes tea."]
    ill = cli("doctor")
    assert ill.code == 1
    assert "WRONG" in ill.out
    assert "-> words answer until the provider is back" in " ".join(ill.out.split())
    assert cli("doctor", "--json").json["ok"] is False


def test_an_import_without_a_provider_is_stored_and_says_what_waits(cli: Cli, talk: object) -> None:
    cli.home.mkdir()
    (cli.home / "config.yaml").write_text(
        "embedding: {provider: openai, model: m, dimensions: 8, base_url: 'http://127.0.0.1:9/v1', timeout: 0.05}\n"
    )
    answer = cli("import", str(talk), "--json")
    assert answer.code == 0
    assert answer.json["embedded"] is False
    assert answer.json["files"][0]["new"] == 4
    assert "What waits is embedded later." in answer.err
