"""Collections of texts that stand alone, and times that were written for people."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from alaya.distill.select import refusal
from alaya.ingest.found import Broken
from alaya.model.raw import Origin, Role, SessionKind
from alaya.model.report import Outcome

WIKI = {
    "id": "wiki",
    "kind": "documents",
    "turns": [
        {"id": "Lilu", "content": "Lilu is a demon.", "title": "Lilu"},
        {"content": "苏州园林以小见大。", "timestamp": "2024年3月5日 14:00 家里"},
        {"role": "user", "content": "我的笔记", "timestamp": 1743403740000},
    ],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_documents_need_no_role(parse, indent) -> None:
    """A text without a speaker is nobody's word: it is not trusted as the owner's is."""
    parsed = parse(json.dumps(WIKI, ensure_ascii=False, indent=indent))
    assert parsed.session.kind is SessionKind.DOCUMENTS
    lilu, garden, note = parsed.turns
    assert (lilu.id, lilu.role, lilu.origin, lilu.name) == (
        "Lilu", Role.USER, Origin.UNTRUSTED, None,
    )  # fmt: skip
    assert (lilu.metadata, garden.id) == ({"title": "Lilu"}, "0")
    assert (note.origin, note.metadata) == (Origin.OWNER, {})
    assert not any(isinstance(one, Broken) for one in parsed.found)


def test_a_conversation_needs_roles(parse) -> None:
    """Without `kind` a text that nobody says is no message, as before; also behind documents."""
    talk = {"messages": [{"content": "who said this?"}], "id": "talk"}
    parsed = parse(WIKI, talk, format="alaya")
    assert len(parsed.turns) == 3
    assert [one.reason[:13] for one in parsed.found if isinstance(one, Broken)] == ["not a message"]


def test_the_archive_and_the_graph_know_the_kind(home, tmp_path: Path) -> None:
    """The kind stands in the header and in the projection, and it grows like any session."""
    path = tmp_path / "wiki.json"
    path.write_text(json.dumps(WIKI, ensure_ascii=False), "utf-8")
    report = home.take(path)
    header = json.loads(Path(report.sessions[0].path).read_text("utf-8").split("\n")[0])
    assert header["kind"] == "documents"
    assert home.sessions()["wiki"].kind is SessionKind.DOCUMENTS
    more = {**WIKI, "turns": [*WIKI["turns"], {"content": "新的一页"}]}
    path.write_text(json.dumps(more, ensure_ascii=False), "utf-8")
    assert home.take(path).turns == 1
    assert home.active("wiki")[-1] == "新的一页"


def test_documents_are_not_distilled_unless_asked(home, tmp_path: Path) -> None:
    """A passage of an encyclopedia is nobody's decision."""
    path = tmp_path / "wiki.json"
    path.write_text(json.dumps(WIKI, ensure_ascii=False), "utf-8")
    home.take(path)
    (state,) = home.index.sessions(home.scope)
    assert refusal(state, min_tokens=0) is Outcome.NOT_MAIN
    assert refusal(state, min_tokens=0, all_kinds=True) is None


def test_two_collections_may_hold_the_same_document(home, tmp_path: Path) -> None:
    """One that begins with a document of another is no fork of it: nothing is left out."""
    page = {"id": "a-page-with-a-long-identifier", "content": "The same page."}
    for name in ("first", "second"):
        turns = [page, {"content": f"only in {name}"}]
        text = json.dumps({"id": name, "kind": "documents", "turns": turns})
        (tmp_path / f"{name}.json").write_text(text, "utf-8")
    report = home.take(tmp_path / "first.json", tmp_path / "second.json")
    assert (report.turns, report.skipped) == (4, {})
    assert home.active("second") == ["The same page.", "only in second"]


def test_what_was_written_as_the_time_is_kept(parse) -> None:
    """A text is read as a time where it is one, and stays under its name in either case."""
    parsed = parse(
        {
            "id": "talk",
            "timestamp": "1:56 pm on 8 May, 2023",
            "turns": [
                {"role": "user", "content": "a", "date": "2024年3月5日 14:00 家里"},
                {"role": "user", "content": "b", "timestamp": "第五回"},
                {"role": "user", "content": "c", "timestamp": "2024-03-05T14:00:00Z"},
                {"role": "user", "content": "d", "time": "soon", "created_at": 1743403740000},
                {"role": "user", "content": "", "time": "soon"},
            ],
        }
    )
    assert parsed.session.started_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert parsed.session.metadata == {"timestamp": "1:56 pm on 8 May, 2023"}
    home, chapter, iso, later = parsed.turns
    assert (home.said_at, home.metadata["date"]) == (
        datetime(2024, 3, 5, 14, tzinfo=UTC), "2024年3月5日 14:00 家里",
    )  # fmt: skip
    assert (chapter.said_at, chapter.metadata) == (None, {"timestamp": "第五回"})
    assert iso.metadata == {}
    assert later.said_at is not None
    assert (later.said_at.year, later.metadata) == (2025, {"time": "soon"})
    assert parsed.skipped == ["empty message"]


def test_a_session_begins_with_its_first_message(parse) -> None:
    """Without a time of its own a session has that of its first message, however written."""
    parsed = parse({"turns": [{"role": "user", "content": "a", "timestamp": "29.12.2023, 22:42"}]})
    assert parsed.session.started_at == datetime(2023, 12, 29, 22, 42, tzinfo=UTC)
