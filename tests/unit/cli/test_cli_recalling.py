"""`alaya recall` on a real home: every filter and choice, on cards and on what was said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from alaya import config, wiring
from alaya.cli.main import main
from alaya.memory import Memory
from alaya.model.change import CardAdded, CardRevised, Cooled, LinkAdded
from alaya.model.graph import CardKind, Tier
from alaya.model.raw import Origin
from alaya.model.scope import Scope
from alaya.projection import catch_up
from alaya.recall.plan import Settings
from alaya.testing.invented import card, link, revised

ANN = Scope("ann")
SETTINGS = {"embedding.provider": "none", "embedding.background": False}
SAID = {
    "id": "talk",
    "timestamp": "2026-03-10T09:00:00Z",
    "turns": [
        {"id": i, "role": role, "content": words, "timestamp": f"2026-03-{day}T09:00:00Z"}
        for i, role, words, day in (
            ("u", "user", "网关 gateway 坏了", 10),
            ("t", "tool", "gateway 网关 down", 20),
        )
    ],
}
Recall = Callable[..., Any]


def at(month: int, day: int) -> datetime:
    return datetime(2026, month, day, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three cards and two turns that all answer `gateway` and `网关`."""
    folder = tmp_path_factory.mktemp("recalling")
    (folder / "talk.json").write_text(json.dumps(SAID), "utf-8")
    with Memory.open(folder / "home", ANN, settings=SETTINGS) as memory:
        memory.init()
    parts = wiring.parts(folder / "home", SETTINGS)
    early = card(
        "early", "gateway 网关", content="bread", scope=ANN, said_at=at(3, 1), tags=("ops", "网络"),
        confidence=0.9, origin=Origin.OWNER, kind=CardKind.GOTCHA,
    )  # fmt: skip
    late = card(
        "late", "gateway 网关", content="snow", scope=ANN, said_at=at(3, 30), tags=("ops",),
        confidence=0.2, origin=Origin.TOOL, kind=CardKind.DECISION, importance=1.0,
    )  # fmt: skip
    skill = card("skill", "gateway 网关", content="tea", scope=ANN, kind=CardKind.SKILL)
    for changes, when in (
        ([CardAdded(early), CardAdded(late)], at(4, 1)),
        ([Cooled(ANN, (("card-early", Tier.WARM),)), CardAdded(skill)], at(4, 2)),
        ([CardRevised(revised(late, content="snow and ice"))], at(4, 10)),
        ([LinkAdded(link("early", "CAUSES", target="late", scope=ANN))], at(4, 11)),
    ):
        with parts.archive.lock() as writer:
            writer.append("test", "told", changes=changes, at=when)
    catch_up(parts.archive, parts.index)
    parts.index.close()
    with Memory.open(folder / "home", ANN, settings=SETTINGS) as memory:
        memory.ingest(folder / "talk.json")  # now, which is later: the journal's time goes forward
    return folder / "home"


@pytest.fixture
def recall(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Recall:
    """Run it and read its JSON; `fields` go in as a query on standard input."""
    monkeypatch.setenv("ALAYA_EMBEDDING_PROVIDER", "none")

    def run(*argv: str, status: int = 0) -> Any:
        words = ["recall", *argv, "--home", str(home), "--user", "ann", "--json"]
        assert main(words) == status
        out, err = capsys.readouterr()
        return json.loads(out) if status == 0 else err

    return run


def names(found: Any) -> set[str]:
    ids = (node["card_id"] or node["turn_id"] for node in found["nodes"])
    return {name.removeprefix("card-") for name in ids}


CARDS = {"early", "late", "skill"}
TURNS = {"talk#u", "talk#t"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], CARDS | TURNS),
        (["--kind", "gotcha"], {"early"}),
        (["--kind", "Gotcha,decision"], {"early", "late"}),
        (["--tag", "ops"], {"early", "late"}),
        (["--tag", "OPS", "--tag", "网络"], {"early"}),
        (["--since", "2026-03-20T09:00:00Z"], {"late", "talk#t"}),
        (["--until", "2026-03-20T09:00:00Z"], {"early", "skill", "talk#u"}),
        (["--since", "2026-03-05", "--until", "2026-03-15"], {"talk#u"}),
        (["--tier", "WARM"], {"early"}),
        (["--tier", "hot"], {"late", "skill"}),
        (["--origin", "owner"], {"early", "talk#u"}),
        (["--origin", "tool"], {"late", "talk#t"}),
        (["--origin", "owner,tool"], {"early", "late", *TURNS}),
        (["--min-confidence", "0.5"], {"early", "skill"}),
        (["--as-of", "2026-03-10T09:00:00Z"], {"early", "skill", "talk#u"}),
        (["--believed-at", "2026-04-01T12:00:00Z"], {"early", "late"}),
        (["--believed-at", "2026-03-01"], set()),
        (["--no-cards"], TURNS),
        (["--no-notes"], {"early", "late", *TURNS}),
        (["--already-shown", "card-early,talk#u"], {"late", "skill", "talk#t"}),
        (["--already-shown", "card-early,talk#u", "--again"], CARDS | TURNS),
        (["--agent", "nobody"], set()),
        (["--session", "talk"], TURNS),
        (["--session", "none"], set()),
        (["--no-sessions"], CARDS),
        (["--set", "recall.include_cards=false"], TURNS),
        (["--set", "recall.include_cards=false", "--include-cards"], CARDS | TURNS),
        (["--set", "recall.include_notes=false"], {"early", "late", *TURNS}),
        (["--set", "recall.include_notes=false", "--include-notes"], CARDS | TURNS),
    ],
)
@pytest.mark.parametrize("text", ["gateway", "网关"])
def test_filters(recall: Recall, text: str, options: list[str], expected: set[str]) -> None:
    """Each option narrows cards and turns as it says, and hides nothing else."""
    usual = ["--set", "recall.include_sessions=true"]
    found = recall(text, *usual, "--no-graph", *options)
    assert names(found) == expected
    assert found["abstained"] is not bool(expected)


def test_filters_on_the_way(recall: Recall) -> None:
    """A filter holds for what links lead to, and for the ways that are shown."""
    found = recall("--from-nodes", "card-early")
    assert names(found) == {"late"}
    assert names(recall("--from-nodes", "card-early", "--tier", "WARM")) == set()
    ways = recall("gateway", "--tier", "WARM")["explorable"]
    assert ways == []


def test_close_to_the_target(recall: Recall) -> None:
    """A second round from a node, without words, can come close: no concept is left to be far."""
    found = recall("--from-nodes", "card-early", "--rel", "CAUSES")
    assert found["h_distance_avg"] == 0.04
    assert "no node" not in recall("--from-nodes", "session:talk", "--rel", "CAUSES")
    for node in ("session:none", "entity-none", "card-none", "none"):
        assert f"{node} to go on from" in recall("--from-nodes", node, status=1)


def test_what_was_believed(recall: Recall) -> None:
    """An earlier belief is told in its words of then."""
    then = recall("gateway", "--believed-at", "2026-04-01T12:00:00Z", "--kind", "decision")
    now = recall("gateway", "--kind", "decision")
    assert [found["nodes"][0]["content"] for found in (then, now)] == ["snow", "snow and ice"]


def test_recipes(recall: Recall) -> None:
    """The recipe is named in the answer, its parts add up, its numbers are configuration."""
    assert recall("gateway")["recipe"] == "default"
    alice = recall("gateway", "--recipe", "alice", "--explain", "--no-graph")
    assert alice["recipe"] == "alice"
    assert alice["nodes"][0]["card_id"] == "card-late"  # said last, and rated
    for node, reasons in zip(alice["nodes"], alice["explain"]["nodes"], strict=True):
        assert set(reasons["parts"]) == {"semantic", "time", "importance", "frequency"}
        assert sum(reasons["parts"].values()) == pytest.approx(node["score"], abs=3e-4)
    assert alice["explain"]["settings"]["alice_time"] == 0.3
    weighed = recall(
        "gateway", "--explain", "--no-graph", "--set", "recall.recipe=alice",
        "--set", "recall.alice_time=0", "--set", "recall.alice_importance=0",
        "--set", "recall.alice_frequency=0",
    )  # fmt: skip
    assert weighed["recipe"] == "alice"
    for node, reasons in zip(weighed["nodes"], weighed["explain"]["nodes"], strict=True):
        assert node["score"] == pytest.approx(1 - reasons["concept_distance"], abs=1e-3)
    eywa = recall("gateway", "--recipe", "eywa", "--explain", "--no-graph")
    parts = {one["id"]: one["parts"] for one in eywa["explain"]["nodes"]}
    assert parts["card-late"]["connections"] > parts["card-skill"]["connections"] == 0


def test_numbers_are_configuration(home: Path) -> None:
    """The defaults of the configuration are those of recall, and every key reaches it."""
    assert wiring.parts(home, SETTINGS).recall == Settings()
    ours = re.compile(r"recall\.(alice|eywa|recipe|diversity|stale|include)")
    keys = list(filter(ours.match, config.keys()))
    assert len(keys) == 19
    for key in keys:
        value: object = "eywa" if key == "recall.recipe" else 7 if "_cap" in key else 0.7
        if "include" in key:
            value = not config.get(config.load(home), key)
        assert wiring.parts(home, {**SETTINGS, key: value}).recall != Settings(), key


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["--recipe", "bob"], 2),
        (["--set", "recall.recipe=bob"], 1),
        (["--set", "recall.alice_time=2"], 1),
        (["--set", "recall.eywa_half_life_days=0"], 1),
        (["--set", "recall.diversity=-1"], 1),
    ],
)
def test_wrong_recipes(recall: Recall, argv: list[str], status: int) -> None:
    """What is no recipe or no weight is refused; the message names what is known."""
    said = recall("gateway", *argv, status=status)
    assert "alice" in said or "between" in said


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ["(recipe alice; ", "= semantic ", " + time ", " + importance "]),
        ("zh", ["（配方 alice；", "= 语义 ", " + 时间 ", " + 重要性 "]),
    ],
)
def test_explained(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    says: list[str],
) -> None:
    """--explain tells what the recipe added up, in the language of choice."""
    monkeypatch.setenv("ALAYA_EMBEDDING_PROVIDER", "none")
    where = ["--home", str(home), "--user", "ann", "--lang", language]
    assert main(["recall", "gateway", "--recipe", "alice", "--explain", *where]) == 0
    out = capsys.readouterr().out
    assert [part for part in says if part not in out] == []
    seen = "card-early,card-late,card-skill"
    assert main(["recall", "gateway", "--already-shown", seen, "--no-graph", *where]) == 0
    out = capsys.readouterr().out
    new = {"en": "Nothing new", "zh": "没有新的内容"}[language]
    left = {"en": "left out, shown before: 3", "zh": "已显示过而略去：3 条"}[language]
    assert new in out
    assert left in out


def test_context_by_recipe(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A context takes the same choices; what was shown before is not in it again."""
    monkeypatch.setenv("ALAYA_EMBEDDING_PROVIDER", "none")
    asked = ["context", "gateway", "--home", str(home), "--user", "ann", "--json"]
    seen = "card-early,card-late,card-skill,talk#u,talk#t"
    found = {}
    for name, options in (
        ("all", ["--recipe", "eywa"]),
        ("new", ["--already-shown", seen]),
        ("again", ["--already-shown", seen, "--again"]),
        ("cards", ["--no-sessions"]),
        ("said", ["--no-cards"]),
        ("session", ["--session", "talk"]),
        ("no notes", ["--no-notes", "--set", "recall.include_sessions=false"]),
    ):
        assert main([*asked, *options]) == 0
        document = json.loads(capsys.readouterr().out)
        found[name] = {item["id"] for item in document["items"]}
        assert document["abstained"] is False
    assert found["all"] == found["again"] > set(seen.split(","))  # and the link between them
    assert found["new"] == set()
    assert {one for one in found["cards"] if "#" in one} == set()
    assert found["said"] == found["session"] == TURNS
    assert "card-skill" not in found["no notes"] > TURNS
