"""Scopes, relations, similarity, speech and small rules of the model."""

from __future__ import annotations

import pytest

from alaya import errors
from alaya.errors import InvalidInput
from alaya.model.graph import Card, Relation
from alaya.model.ids import card_id, clean, digest, entity_id, file_name, sha256
from alaya.model.passage import Query
from alaya.model.raw import Origin, Role, lowest
from alaya.model.relations import (
    CORE,
    CORE_NAMES,
    canonical,
    edge_name,
    reading,
    relation_name,
    stored_as,
)
from alaya.model.scope import Scope
from alaya.model.similarity import median_for, similarity
from alaya.model.speech import embeddable, indexed, visible
from alaya.model.words import script, segment, tokens
from alaya.testing.invented import ALICE, BOB, card, day, link, turn


def test_scope_sees() -> None:
    """The user is compared always; agent and session narrow only when given."""
    full = Scope("alice", "coder", "s")
    assert ALICE.sees(full)
    assert Scope("alice", "coder").sees(full)
    assert Scope("alice", session="s").sees(full)
    assert not BOB.sees(full)
    assert not Scope("alice", "writer").sees(full)
    assert not Scope("alice", session="t").sees(full)
    assert not full.sees(ALICE)
    assert Scope() == Scope("default")


def test_lowest_trust() -> None:
    """What is derived is trusted as little as the least of its sources."""
    assert lowest([Origin.OWNER, Origin.TOOL, Origin.AGENT]) is Origin.TOOL
    assert lowest([Origin.UNTRUSTED, Origin.OWNER]) is Origin.UNTRUSTED
    assert lowest([Origin.OWNER]) is Origin.OWNER
    assert lowest([]) is Origin.UNTRUSTED


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("caused by", "CAUSED_BY"),
        (" Caused-By ", "CAUSED_BY"),
        ("受启发于", "受启发于"),
        ("gen-itgc监控", "GEN_ITGC监控"),
        ("_x__y_", "X_Y"),
        ("straße", "STRASSE"),
    ],
)
def test_relation_names(text, name) -> None:
    """One spelling for each relation, in any language; a name is its own name."""
    assert relation_name(text) == name
    assert relation_name(name) == name


@pytest.mark.parametrize("text", ["", "  ", "…", "_", "x" * 81, "🎉"])
def test_no_relation_names(text) -> None:
    """What has no letter, or too many, is no relation."""
    with pytest.raises(InvalidInput):
        relation_name(text)


def test_one_edge_two_readings() -> None:
    """An edge has one stored form, and reads from either end by its own name."""
    caused = link("a", "CAUSED_BY", target="b")
    stored = canonical(caused)
    assert (stored.source, stored.relation, stored.target) == ("card-b", "CAUSES", "card-a")
    assert canonical(stored) == stored
    assert reading(stored, "card-a") == ("CAUSED_BY", "card-b")
    assert reading(stored, "card-b") == ("CAUSES", "card-a")
    alike = canonical(link("b", "SIMILAR_TO", target="a"))
    assert alike == canonical(link("a", "SIMILAR_TO", target="b"))
    assert reading(alike, "card-b") == ("SIMILAR_TO", "card-a")
    own = link("b", "受启发于", target="a")
    assert canonical(own) == own
    assert reading(own, "card-a") == ("受启发于", "card-b")
    assert edge_name(caused) == edge_name(stored) == "card-b CAUSES card-a"
    assert stored_as("CAUSED_BY") == ("CAUSES", False, True)
    assert stored_as("CAUSES") == ("CAUSES", True, False)
    assert stored_as("CONTRADICTS") == ("CONTRADICTS", True, True)


def test_core_relations() -> None:
    """The core is what the design names, each with a meaning to be embedded."""
    assert len(CORE) == len(CORE_NAMES) == 9
    assert all(r.is_core and r.definition and relation_name(r.name) == r.name for r in CORE)
    assert len({r.text for r in CORE}) == 9
    assert Relation("LED_TO").text == "led to"
    assert Relation("LED_TO", examples=("a", "b", "c", "d")).text == "led to: a; b; c"


def test_link_identity() -> None:
    """A link is its user, ends, relation and when it became valid; not its weight or reason."""
    one = link("a", "R", target="b")
    assert one.id == link("a", "R", target="b", weight=0.1, reason="x").id
    others = [
        link("a", "R", target="c"),
        link("b", "R", target="a"),
        link("a", "S", target="b"),
        link("a", "R", target="b", scope=BOB),
        link("a", "R", target="b", valid_at=day(1)),
    ]
    assert len({one.id, *(other.id for other in others)}) == 6


@pytest.mark.parametrize(
    ("cosine", "expected"), [(0.8, 0.0), (0.9, 0.5), (1.0, 1.0), (0.5, 0.0), (1.2, 1.0)]
)
def test_similarity(cosine, expected) -> None:
    """(cos - m) / (1 - m), clipped: 0 is chance, 1 is the same."""
    assert similarity(
        cosine, "han", passage_script="han", medians={"han|han": 0.8}, baseline={}
    ) == pytest.approx(expected)


def test_medians() -> None:
    """The store's estimate, else the embedder's, else the reversed pair's, else none."""
    assert (
        median_for("han", "latin", medians={"han|latin": 0.7}, baseline={"han|latin": 0.9}) == 0.7
    )
    assert median_for("han", "latin", medians={}, baseline={"han|latin": 0.9}) == 0.9
    assert median_for("han", "latin", medians={"latin|han": 0.6}, baseline={}) == 0.6
    assert (
        median_for("han", "latin", medians={"latin|han": 0.6}, baseline={"han|latin": 0.9}) == 0.9
    )
    assert median_for("han", "latin", medians={}, baseline={}) == 0.0
    assert median_for("a", "b", medians={"a|b": -0.2}, baseline={}) == 0.0
    assert median_for("a", "b", medians={"a|b": 1.0}, baseline={}) == 0.99


def test_speech() -> None:
    """What alaya injected is nobody's speech, however its ranges lie; tools do not speak."""
    said = turn("1", "0123456789", injected=((4, 6), (2, 5), (8, 99)), name="Zoë")
    assert visible(said) == "0167"
    assert indexed(said) == "Zoë\n0167"
    assert embeddable(said) == "Zoë: 0167"
    assert embeddable(turn("1", "  x \n", role=Role.ASSISTANT)) == "x"
    assert embeddable(turn("1", "x", role=Role.TOOL)) == ""
    assert embeddable(turn("1", "x", role=Role.SYSTEM)) == ""
    assert len(indexed(turn("1", "x" * 100_000))) == 20_001


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a\x00b", "ab"),
        ("\ud83d", "\ufffd"),
        ("x\udc00\ud83dy", "x\ufffd\ufffdy"),
        ("\ud83d\ude00", "😀"),
        ("é\ud800", "é\ufffd"),
    ],
)
def test_clean(text, expected) -> None:
    """NUL goes, lone surrogates are replaced, and torn pairs are mended."""
    assert clean(text) == expected


def test_ids() -> None:
    """Ids follow from what they name, and from all of it."""
    assert card_id("d", 1) == card_id("d", 1) != card_id("d", 2)
    assert entity_id("u", "n", evidence="e") != entity_id("v", "n", evidence="e")
    assert digest("a", "b") != digest("ab") != digest(["a", "b"])
    assert len(digest("x")) == 20
    assert sha256("词") == sha256("词")
    assert file_name("2026-plan_会议.v1@x+y") == "2026-plan_会议.v1@x+y"
    assert isinstance(card("a"), Card)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("网关配置", ["网关", "关配", "配置"]),
        ("配", []),
        ("gen-itgc监控", ["gen-itgc", "gen", "itgc", "监控"]),
        ("C++ C# C", ["c++", "c#", "c"]),
        ("HTTPServer_port", ["httpserver_port", "http", "server", "port"]),
        (".env", [".env", "env"]),
        ("it's", ["it's", "it"]),
        ("ＡＢＣ１", ["abc1"]),
        ("👍🏽❤️", ["👍", "❤"]),
        ("x" * 65, []),
        ("", []),
    ],
)
def test_segments(text, words) -> None:
    """Words, parts and bigrams, by hand."""
    assert list(segment(text).words) == words


def test_script_and_tokens() -> None:
    """A quarter of Chinese letters makes a text Chinese; a dense character is a token."""
    assert script("网关") == script("gateway 网关配置") == "han"
    assert script("a long English sentence with one 词 in it") == script("かな 123") == "latin"
    assert tokens("网关abcd") == 3
    assert tokens("") == 0


def test_phrases() -> None:
    """A query's phrases are its text and concepts, without the empty ones."""
    assert Query(" x ", ("", "y", "\n")).phrases == (" x ", "y")


def test_errors_have_a_status() -> None:
    """1 for a user's mistake, 3 for a failure of ours; one root."""
    found = {name: getattr(errors, name) for name in errors.__all__}
    assert all(issubclass(error, errors.AlayaError) for error in found.values())
    mistakes = {n for n, error in found.items() if error.exit_status == 1}
    assert mistakes == {
        "UserError",
        "ConfigError",
        "NotFound",
        "InvalidInput",
        "Denied",
        "Unsupported",
    }
    assert {error.exit_status for n, error in found.items() if n not in mistakes} == {3}
