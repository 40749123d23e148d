"""An export is read by other programs, whatever the memory holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import networkx
import pytest

from alaya.errors import ArchiveError, InvalidInput
from alaya.export import MANIFEST, default_folder, export
from alaya.model import change as ch
from alaya.model.graph import CardKind, Entity, EntityKind
from alaya.model.passage import Where
from alaya.model.raw import Role, ToolCall, TurnMark
from alaya.model.scope import Scope
from alaya.testing.invented import ALICE, BOB, Told, card, day, link, session, span, turn
from alaya.testing.oracle import OracleIndex

WHERE = Where(ALICE)
ODD = (
    ("markup", "<b>&amp; \"q\" 'a' ]]> --> <!-- </node>", "x < y & z > w"),
    ("control", "bell \x07 esc \x1b[31m tab\t ff\x0c", "\x00-less \x01\x1f\x7f \ufffe\uffff"),
    ("lines", "two\nlines\r\nthree\u2028four", "a\r\nb\rc"),
    ("link", "[x](y) \\ `code` *s* #1", "---\ntitle: evil\n---\n"),
    ("path", "../../etc/passwd", "x"),
    ("emoji", "👨‍👩‍👧 🎉", "❤️"),
    ("han", "网关配置" * 60, "内容"),
    ("long", "x" * 1000, ""),
    ("signs", "…！？", ""),
    ("blank", " ", ""),
    ("con", "CON", ""),
    ("yaml", "yes: no # {a: [b]} & *c !d |", "%"),
)


class Archive:
    """Turns by place, as told."""

    def __init__(self, told: Told) -> None:
        self.turn = told.read_turn


@pytest.fixture
def told() -> Told:
    return Told(lambda read_turn: OracleIndex())


@pytest.fixture
def library(told: Told) -> Told:
    told.says(
        session("../s", title="<Plan> & \x0b co", channel="cli", metadata={"k": 1}),
        turn("1", "hello", said_at=day(1), name="Zoë"),
        turn("2", "run", role=Role.ASSISTANT, tool_calls=(ToolCall("c", "bash", "{}"),)),
        turn("3", "out", role=Role.TOOL, tool_call_id="c"),
        turn("4", "aside"),
    )
    told.tell(ch.TurnsMarked(ALICE, "../s", ("4",), TurnMark.SIDE))
    told.cards(
        *(
            card(n, t, content=c, tags=("<t>", "标签"), evidence=(span("../s", "1"),))
            for n, t, c in ODD
        )
    )
    told.cards(card("hidden", "secret"), card("bob", "secret", scope=BOB))
    told.tell(ch.Forgotten(ALICE, ("card-hidden",), ""))
    told.tell(ch.EntityAdded(Entity("entity-x", ALICE, "x", EntityKind.TOOL)))
    told.links(
        link("markup", "CAUSES", target="control", reason='because "a" < b & c\x0b\n'),
        link("han", "受启发于", target="emoji", weight=0.25),
        link("han", "MENTIONS", target="entity-x"),
        link("han", "EXTRACTED_FROM", target="session:../s"),
        link("han", "DEPENDS_ON", target="hidden"),
        link("markup", "DEPENDS_ON", target="control", valid_at=day(2)),
    )
    return told


def exported(told: Told, folder: Path, **fields) -> Path:
    export(
        Archive(told), told.index, where=fields.pop("where", WHERE), folder=folder, sessions=True
    )
    return folder


def test_graphml(library, tmp_path) -> None:
    """NetworkX reads every node and edge with its attributes, of whatever characters."""
    graph = networkx.read_graphml(exported(library, tmp_path) / "graph.graphml")
    cards = {f"card-{name}" for name, _, _ in ODD}
    assert set(graph.nodes) == cards | {"entity-x", "session:../s"}
    titles = {name: graph.nodes[f"card-{name}"]["title"] for name, _, _ in ODD}
    assert titles["markup"] == ODD[0][1]
    assert titles["control"] == "bell  esc [31m tab\t ff"
    assert titles["han"] == ODD[6][1]
    assert graph.nodes["card-han"]["kind"] == "concept"
    assert graph.nodes["card-han"]["importance"] == 0.5
    assert graph.nodes["session:../s"]["type"] == "session"
    edges = {(a, d["relation"], b): d for a, b, d in graph.edges(data=True)}
    assert len(edges) == graph.number_of_edges() == 5
    assert edges["card-han", "受启发于", "card-emoji"]["weight"] == 0.25
    assert edges["card-markup", "CAUSES", "card-control"]["reason"].startswith('because "a" < b')


def test_markdown(library, tmp_path) -> None:
    """Each card is a file by kind, with front matter that nothing in it can break."""
    library.cards(card("a-gotcha", "Gotcha", kind=CardKind.GOTCHA))
    folder = exported(library, tmp_path)
    files = sorted((folder / "cards").rglob("*.md"))
    assert len(files) == len(ODD) + 1
    assert [p.parent.name for p in files].count("gotcha") == 1
    seen = {}
    for path in files:
        assert path.resolve().is_relative_to(folder.resolve())
        assert len(path.name.encode()) <= 255
        head, _, body = path.read_text().removeprefix("---\n").partition("\n---\n")
        front = {
            key: json.loads(value)
            for key, value in (line.split(": ", 1) for line in head.split("\n"))
        }
        seen[front["id"]] = front, body
    for name, title, content in ODD:
        front, body = seen[f"card-{name}"]
        assert (front["title"], front["tags"]) == (title, ["<t>", "标签"])
        plain = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", "", content)
        assert plain.replace("\r\n", "\n").replace("\r", "\n") in body
        assert "turn 1, 0-5" in body
    assert "- 受启发于 [card-emoji](../../" in seen["card-han"][1]


def test_index_links_lead_somewhere(library, tmp_path) -> None:
    """Every link of index.md and of the cards leads to a file that is there."""
    folder = exported(library, tmp_path)
    text = (folder / "index.md").read_text()
    found = re.findall(r"^- \[.*\]\(([^)]+)\)$", text, re.MULTILINE)
    assert len(found) == len(ODD)
    assert all((folder / target).is_file() for target in found)
    for path in (folder / "cards").rglob("*.md"):
        for target in re.findall(r"\]\((\.\./[^)]+\.md)\)", path.read_text()):
            assert (path.parent / target).is_file()


def test_sessions(library, tmp_path) -> None:
    """Sessions are the Alaya design's documents, of the turns on the active branch."""
    (path,) = (exported(library, tmp_path) / "sessions").iterdir()
    document = json.loads(path.read_text())
    assert (document["id"], document["channel"]) == ("../s", "cli")
    assert [t["content"] for t in document["turns"]] == ["hello", "run", "out"]
    assert document["turns"][0]["timestamp"] == int(day(1).timestamp() * 1000)
    assert document["turns"][1]["tool_calls"] == [{"id": "c", "name": "bash", "arguments": "{}"}]
    assert document["metadata"]["k"] == 1


def test_nothing_of_others(library, tmp_path) -> None:
    """What is forgotten or another's is in no file."""
    exported(library, tmp_path)
    text = "".join(p.read_text() for p in tmp_path.rglob("*") if p.is_file())
    assert "secret" not in text
    assert "card-hidden" not in text
    bob = exported(library, tmp_path / "bob", where=Where(BOB))
    assert networkx.read_graphml(bob / "graph.graphml").number_of_nodes() == 1


def test_again(library, tmp_path) -> None:
    """An export replaces its own files and leaves those of others alone."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/mine.txt").write_text("kept")
    report = export(Archive(library), library.index, where=WHERE, folder=tmp_path, sessions=False)
    again = export(Archive(library), library.index, where=WHERE, folder=tmp_path, sessions=False)
    assert report == again
    assert (report.cards, report.links, report.sessions) == (len(ODD), 5, 0)
    assert all((tmp_path / name).is_file() for name in report.files)
    assert (tmp_path / "cards/mine.txt").read_text() == "kept"


def test_empty(told, tmp_path) -> None:
    """An empty memory is an empty graph."""
    folder = exported(told, tmp_path, where=Where(Scope()))
    assert networkx.read_graphml(folder / "graph.graphml").number_of_nodes() == 0
    assert "0 cards" in (folder / "index.md").read_text()


def test_cannot_write(library, tmp_path) -> None:
    """A folder that cannot be made is named."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ArchiveError, match="file"):
        exported(library, tmp_path / "file/x")


def test_what_is_no_longer_written_is_taken_away(library, tmp_path) -> None:
    """After another export into the same folder nothing of the one before is left, even another
    user's; what others put there is."""
    folder = exported(library, tmp_path / "out")
    (folder / "cards/concept/mine.md").write_text("kept")
    exported(library, folder, where=Where(BOB))
    text = {p: p.read_text() for p in folder.rglob("*") if p.is_file()}
    assert all("card-han" not in words and "hello" not in words for words in text.values())
    assert len(list(folder.rglob("*.md"))) == 3, "index.md, bob's card, mine"
    assert (folder / "cards/concept/mine.md").read_text() == "kept"
    assert not (folder / "sessions").exists()


def test_a_manifest_deletes_only_exports(library, tmp_path) -> None:
    """A manifest that was made up, or is broken, leads to no other file."""
    folder = tmp_path / "out"
    folder.mkdir()
    (tmp_path / "precious.md").write_text("kept")
    (folder / "notes.md").write_text("kept")
    names = ["../precious.md", "notes.md", str(tmp_path / "precious.md"), "cards/../../precious.md"]
    for content in (json.dumps({"files": [*names, 1, None]}), "", "[]", '{"files": 1}'):
        (folder / MANIFEST).write_text(content)
        exported(library, folder)
        assert (tmp_path / "precious.md").read_text() == "kept"
        assert (folder / "notes.md").read_text() == "kept"


def test_default_folder(tmp_path) -> None:
    """Each user has a folder of their own, whatever their name."""
    names = ["default", "alice", "../x", "cards", "index.md", "X", "x"]
    folders = [default_folder(tmp_path, name) for name in names]
    assert folders[:2] == [tmp_path / "export", tmp_path / "export/alice"]
    assert len(set(folders)) == len(names)
    assert all(f.parent == tmp_path / "export" for f in folders[1:])
    assert not {f.name for f in folders} & {"cards", "index.md", ".."}


@pytest.mark.parametrize("name", ["raw", "raw/sessions/x", "state", "link/y", "x/../raw"])
def test_not_into_the_memory(library, tmp_path, name) -> None:
    """An export does not go where the memory itself is kept."""
    (tmp_path / "raw").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "raw")
    archive = Archive(library)
    archive.home = tmp_path
    with pytest.raises(InvalidInput, match="holds the memory"):
        export(archive, library.index, where=WHERE, folder=tmp_path / name, sessions=False)
    assert not any((tmp_path / "raw").iterdir())


def test_no_control_characters(library, tmp_path) -> None:
    """What is shown in a terminal cannot move its cursor."""
    for path in exported(library, tmp_path).rglob("*.md"):
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", path.read_text())
