"""A memory that minds itself, from the command line: introspect, status, cron, watch; killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from others import Done, Process

from alaya import Memory
from alaya.config_values import cron_table
from alaya.model.graph import Tier
from alaya.model.passage import Where

Start = Callable[..., Process]
SMALL = ("--set", "temperature.hot_limit=3", "--set", "temperature.warm_limit=2")
LINES = {
    "en": [
        "[1/",
        "Distill",
        "Created",
        "HOT: 3 cards",
        "WARM: 2 cards",
        "✓ Introspection complete",
    ],
    "zh": ["[1/", "提炼", "新建", "HOT：3 张卡片", "WARM：2 张卡片", "✓ 内省完成"],
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_introspect_from_the_command_line(
    alaya: Callable[..., Done],
    talks: Callable[[int], list[Path]],
    tmp_path: Path,
    language: str,
) -> None:
    """Logs become cards in their tiers; a second run changes nothing; status tells the tiers."""
    home, said = tmp_path / "home", ("--lang", language, "--set", "distill.min_session_tokens=0")
    settings = {"ALAYA_EMBEDDING_PROVIDER": "hashing"}
    alaya(home, "ingest", *map(str, talks(4)), **settings)
    tried = alaya(home, "introspect", "--dry-run", *said, **settings)
    assert tried.status == 0, tried.err
    assert alaya(home, "status", "--json").json["counts"]["cards"] == 0
    done = alaya(home, "introspect", *said, *SMALL, **settings)
    assert done.status == 0, done.err
    assert [part for part in LINES[language] if part not in done.out] == []
    assert alaya(home, "embed", **settings).status == 0
    before = alaya(home, "status", "--json").json
    again = alaya(home, "introspect", "--json", *said, *SMALL, **settings).json
    counts = {name: n for step in again["steps"] for name, n in step["counts"].items()}
    assert (counts["hot"], counts["warm"], counts["cold"]) == (3, 2, before["tiers"]["COLD"])
    assert not any(counts[name] for name in ("sessions", "upgraded", "archived", "promoted"))
    after = alaya(home, "status", "--json").json
    assert after["journal_seq"] == before["journal_seq"]
    assert set(after["tier_disk"]) == {"HOT", "WARM"}
    assert after["tier_memory"]["HOT"] * 5 == after["tier_disk"]["HOT"]
    assert alaya(home, "verify").status == 0


def test_a_second_one_is_told_to_wait(alaya: Callable[..., Done], tmp_path: Path) -> None:
    """While the lock is held, introspect ends at once, with a failure that says why."""
    from alaya.introspect.embed_worker import only_worker
    from alaya.verbs.introspecting import LOCK

    home = tmp_path / "home"
    assert alaya(home, "init").status == 0
    with only_worker(home, LOCK):
        for language, words in (("en", "introspects this memory"), ("zh", "正在内省此记忆")):
            done = alaya(home, "introspect", "--lang", language)
            assert (done.status, words in done.err) == (3, True), done.err


def test_cron_entries(alaya: Callable[..., Done], tmp_path: Path) -> None:
    """Each form names the home and the user, quoted as its reader wants it."""
    home = tmp_path / "a home 50%"
    asked = ("cron", "--user", "安 n", "--set", "introspect.schedule=5 */6 * * 1-5")
    table = alaya(home, *asked, "--format", "crontab").out.strip().splitlines()
    line = next(line for line in table if " introspect " in line)
    assert line.startswith("5 */6 * * 1-5 ")
    assert "'" + str(home).replace("%", "\\%") + "'" in line
    assert cron_table(" ".join(line.split()[:5])) is None
    units = alaya(home, *asked, "--format", "systemd").out
    assert "OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 00,06,12,18:05:00" in units
    assert '"' + str(home).replace("%", "%%") + '"' in units
    jobs = json.loads(alaya(home, *asked, "--format", "openclaw").out)["jobs"]
    assert jobs[0]["name"] == "alaya-introspect"
    assert jobs[0]["schedule"] == "5 */6 * * 1-5"
    shown = subprocess.run(["sh", "-c", "for w in " + jobs[0]["command"] + '; do echo "$w"; done'],
                           capture_output=True, text=True, check=True)  # fmt: skip
    assert {str(home), "安 n", "introspect"} <= set(shown.stdout.splitlines())
    everything = alaya(home, *asked, "--json").json
    assert set(everything) == {"crontab", "systemd", "openclaw"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watch_stops_cleanly(
    alaya: Callable[..., Done], tmp_path: Path, number: signal.Signals
) -> None:
    """`watch --now` introspects, says when it is due again, and ends with 0 when it is told to."""
    home = tmp_path / "home"
    assert alaya(home, "init").status == 0
    environ = {**os.environ, "ALAYA_EMBEDDING_PROVIDER": "none", "PYTHONUNBUFFERED": "1"}
    watching = subprocess.Popen(
        [sys.executable, "-m", "alaya", "--home", str(home), "watch", "--now"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ,
    )  # fmt: skip
    assert watching.stdout is not None
    lines = []
    for line in watching.stdout:
        lines.append(line)
        if "alaya-introspect: done" in line:
            break
    watching.send_signal(number)
    rest, complaint = watching.communicate(timeout=60)
    assert (watching.returncode, complaint) == (0, "")
    assert "alaya-introspect: next at" in lines[0]
    assert rest.splitlines()[-1] == "stopped"


@pytest.fixture
def grown(
    talks: Callable[[int], list[Path]], start: Start, tmp_path: Path
) -> Callable[[int], Path]:
    """A home with the cards of so many sessions, embedded, of which nearly none may stay warm."""

    def make(count: int) -> Path:
        home = tmp_path / "grown"
        steps = [step for path in talks(count) for step in (["ingest", str(path)], ["distill"])]
        process = start(home, steps)
        list(process.lines())
        assert process.end() == (0, "")
        with Memory.open(home, settings=SETTINGS) as memory:
            memory.embed()
        return home

    return make


SETTINGS = {
    "embedding.provider": "hashing",
    "embedding.background": False,
    "distill.min_session_tokens": 0,
    "temperature.hot_limit": 2,
    "temperature.warm_limit": 2,
}


def tiers(memory: Memory) -> dict[str, Tier]:
    lives = memory.parts.index.lives(Where(memory.scope, include_forgotten=True))
    return {life.id: life.state.tier for life in lives}


@pytest.mark.soak
def test_killed_while_introspecting(
    sized: Callable[[int, int], int], grown: Callable[[int], Path], start: Start, tmp_path: Path
) -> None:
    """Killed at its n-th write, fsync, rename or statement, an introspection is whole or undone;
    the next one leaves what an undisturbed one leaves. n runs over 8 points, in the soak over all.
    """
    template, options = grown(3), ("--settings", json.dumps(SETTINGS))
    steps: Sequence[Sequence[str]] = [["introspect"]]
    shutil.copytree(template, tmp_path / "undisturbed")
    *_, final = start(tmp_path / "undisturbed", steps, "--count", *options).lines()
    with Memory.open(tmp_path / "undisturbed", settings=SETTINGS) as memory:
        expected = tiers(memory)
    assert set(expected.values()) == set(Tier)
    points = range(1, final["count"] + 1)
    for point in points[:: max(1, len(points) // sized(8, len(points)))]:
        home = tmp_path / f"home-{point}"
        shutil.copytree(template, home)
        process = start(home, steps, "--die-at", str(point), *options)
        list(process.lines())
        assert process.end()[0] == -9, point
        with Memory.open(home, settings=SETTINGS) as memory:
            assert memory.verify().differences == (), point
            left = set(tiers(memory).values())
            assert left in ({Tier.HOT}, set(Tier)), point
            memory.introspect()
            assert tiers(memory) == expected, point
            assert memory.verify().differences == (), point
        shutil.rmtree(home)
