"""Walking through a memory and finding ways through it: at a terminal, in a pipe, in both
languages."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import spoken
from others import Done
from terminal import PROMPT, Terminal

from alaya import Memory

SETTINGS = {"embedding.provider": "none", "distill.min_session_tokens": 0}
Run = Callable[..., Done]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A home of four sessions, and the four cards that are linked one to the next in it."""
    folder = tmp_path_factory.mktemp("walk")
    with Memory.open(folder / "home", settings=SETTINGS) as memory:
        memory.ingest(*(spoken.write_session(folder, number) for number in range(4)))
        memory.distill()
        cards = [
            memory.recall(f"{spoken.TOOLS[number]} refused on port {7000 + number}").hits[0].id
            for number in range(4)
        ]
        assert len(set(cards)) == 4
        memory.link(cards[0], cards[1], relation="CAUSES", reason="the same host 同一台主机")
        memory.link(cards[2], cards[1], relation="受启发于", weight=0.5)
        memory.link(cards[2], cards[3], relation="DEPENDS_ON", reason="needs its port")
    return folder / "home", cards


@pytest.fixture
def pipe(walked: tuple[Path, list[str]]) -> Callable[..., Done]:
    """`alaya recall -i …` with these lines from a pipe."""

    def run(lines: str | bytes, *argv: str, **environ: str) -> Done:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ALAYA_", "LC_", "LANG"))}
        quiet = {"ALAYA_EMBEDDING_PROVIDER": "none", "ALAYA_EMBEDDING_BACKGROUND": "false"}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "alaya", "recall", "-i", *argv],
            input=lines.encode() if isinstance(lines, str) else lines,
            env={**kept, "ALAYA_HOME": str(walked[0]), **quiet, **environ},
            capture_output=True,
            check=False,
            timeout=100,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def test_a_walk_at_a_terminal(walked: tuple[Path, list[str]]) -> None:
    """A node, a relation, back, trace, a new search, and out: by number, with a prompt."""
    home, cards = walked
    question = f"{spoken.TOOLS[0]} refused on port 7000"
    with Terminal(home, "recall", "-i", question, "--limit", "1") as at:
        first = at.until(PROMPT)
        assert "🔍 Recalling" in first
        assert cards[0] in first
        assert "NUMBER goes to that node" in first
        there = at.says("1")
        assert f'from_nodes=["{cards[0]}"]' in there
        assert cards[1] in there
        assert "matched: CAUSES" in there
        assert "[2] " in there[there.index("Explorable paths:") :]
        way = next(line for line in there.splitlines() if "受启发于" in line)
        along = at.says(way.strip()[1])
        assert "matched: 受启发于" in along
        assert cards[2] in along
        assert at.says("back").count(cards[1]) == 1
        assert "the walk began" in at.says("b") + at.says("b")
        traced = at.says("t 1")
        assert f"Tracing {cards[0]}" in traced
        assert "✓ verified" in traced
        assert "no number 77; the highest is" in at.says("77")
        assert "NUMBER goes to that node" in at.says("?")
        assert cards[3] in at.says(f"s {spoken.TOOLS[3]} refused on port 7003")
        assert "Nothing relevant" in at.says("quasar spectroscopy")
        at.keys(b"q\n")
        status, last = at.ends()
    assert (status, "Traceback" in last) == (0, False)


def test_a_walk_in_chinese(walked: tuple[Path, list[str]]) -> None:
    """The same in Chinese, typed in Chinese, on a terminal without editing."""
    home, cards = walked
    environ = {"ALAYA_LANG": "zh", "TERM": "dumb"}
    with Terminal(home, "recall", "-i", "--limit", "1", **environ) as at:
        assert "编号：走到该节点" in at.until(PROMPT)
        found = at.says(f"{spoken.TOOLS[0]} refused on port 7000")
        assert "回忆：" in found
        assert cards[0] in found
        assert "匹配关系：CAUSES" in at.says("１")
        assert f"追溯 {cards[0]}" in at.says("追溯")
        assert "已核对" in at.says("原话1")
        assert cards[0] in at.says("返回")
        assert "没有编号 9" in at.says("9")
        assert "没有相关的记忆" in at.says("搜索 类星体光谱")
        at.keys("退出\n".encode())
        assert at.ends()[0] == 0


@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
@pytest.mark.parametrize(
    ("keys", "status", "says"), [(b"\x03", 130, "interrupted"), (b"\x04", 0, "")]
)
def test_leaving(
    walked: tuple[Path, list[str]], terminal: str, keys: bytes, status: int, says: str
) -> None:
    """Control-C ends a walk with 130 and a sentence, Control-D with 0; no traceback either way."""
    with Terminal(walked[0], "recall", "-i", "refused", TERM=terminal) as at:
        at.until(PROMPT)
        time.sleep(0.3)  # readline shows its prompt a moment before it listens to signals
        at.keys(keys)
        found, last = at.ends()
    assert (found, "Traceback" in last) == (status, False)
    assert says in last
    assert last.endswith("\r\n")


def test_a_walk_in_a_pipe(walked: tuple[Path, list[str]], pipe: Run) -> None:
    """Each line is a step; no prompt and no decoration; the end of the input is the end."""
    _, cards = walked
    done = pipe("1\nt\n", f"{spoken.TOOLS[0]} refused on port 7000", "--limit", "1")
    assert (done.status, done.err) == (0, "")
    assert not set(done.out) & set("🔍\x1b\r")
    assert "> " not in done.out
    assert "NUMBER" not in done.out
    assert done.out.count("Recalling") == 2
    assert f"Tracing {cards[0]}" in done.out
    same = pipe(f"{spoken.TOOLS[0]} refused on port 7000\n1\nt\nq\n1\n1\n", "--limit", "1")
    assert same.out.strip() == done.out.strip()


def test_a_pipe_in_any_locale(pipe: Run) -> None:
    """What is typed is UTF-8 whatever the locale; what is none does not end the walk."""
    text = b"\xff\xfe\n\xef\xbb\xbf" + f"{spoken.TOOLS[1]} 缓存\n返回\n帮助".encode()
    for locale in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {}):
        done = pipe(text, ALAYA_LANG="zh", **locale)
        assert (done.status, done.err) == (0, "")
        assert f"{spoken.TOOLS[1]} 缓存" in done.out
        assert "编号：走到该节点" in done.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("line", "status", "says"),
    [
        ("printf 'refused\\n1\\n' | $ALAYA > /dev/full", 3, "cannot write to standard output"),
        ("yes refused | head -500 | $ALAYA | head -1 > /dev/null; exit ${PIPESTATUS[2]}", 0, ""),
        ("$ALAYA refused <&-", 0, ""),
        ("$ALAYA refused < /dev/null >&-", 0, ""),
    ],
)
def test_streams(walked: tuple[Path, list[str]], line: str, status: int, says: str) -> None:
    """An output that is full is told, one that has gone is not; a closed input holds no line."""
    quiet = {"ALAYA_EMBEDDING_PROVIDER": "none", "ALAYA_HOME": str(walked[0])}
    done = subprocess.run(
        ["bash", "-c", line.replace("$ALAYA", f"{sys.executable} -m alaya recall -i")],
        env={**os.environ, **quiet},
        capture_output=True,
        check=False,
        timeout=100,
    )
    assert (done.returncode, "Traceback" in done.stderr.decode()) == (status, False)
    assert says in done.stderr.decode()
    assert says or not done.stderr


def test_steps_that_cannot_be_taken(walked: tuple[Path, list[str]], pipe: Run) -> None:
    """Each is answered with a sentence, and the walk goes on."""
    _, cards = walked
    lines = (
        "",
        "5",
        "b",
        "t",
        "t 3",
        "card-nowhere",
        "t card-nowhere",
        "9" * 5000,
        "x" * 200_000,
        cards[2],
        "0",
        "1",
    )
    done = pipe("\n".join(lines))
    assert (done.status, done.err) == (0, "")
    for part in (
        "no number 5; the highest is 0",
        "the walk began",
        "trace what?",
        "no node 3 to trace",
        "no card card-nowhere",
        f'from_nodes=["{cards[2]}"]',
        "no number 0",
    ):
        assert part in done.out, part
    assert done.out.count(cards[1]) + done.out.count(cards[3]) >= 2


def test_filters_hold_on_the_whole_walk(walked: tuple[Path, list[str]], pipe: Run) -> None:
    """What was typed beside the question counts for each step; a wrong one ends it at once."""
    _, cards = walked
    done = pipe(f"{cards[0]}\n", "--kind", "principle")
    assert "no card" in done.out
    assert cards[1] not in done.out
    for argv in (["--since", "yesterday-ish"], ["x", "--since", "yesterday-ish"]):
        wrong = pipe("1\n", *argv)
        assert (wrong.status, wrong.out) == (1, "")
        assert "since" in wrong.err
    assert cards[1] not in pipe(f"{cards[0]}\n", "--user", "eve").out


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["-i", "--json"], "--json"),
        (["-i", "--from", "a", "--to", "b"], "--from"),
        (["--from", "card-a"], "--to"),
        (["--to", "card-a"], "--from"),
        (["x", "--from", "card-a", "--to", "card-b"], "TEXT"),
        (["--concepts", "x", "--from", "card-a", "--to", "card-b"], "--concepts"),
        (["--from-nodes", "x", "--from", "card-a", "--to", "card-b"], "--from-nodes"),
        (["--limit", "3", "--from", "card-a", "--to", "card-b"], "--limit"),
        (["--from", "a", "--to", "b", "--depth", "x"], "--depth"),
    ],
)
def test_bad_usage(walked: tuple[Path, list[str]], alaya: Run, argv: list[str], says: str) -> None:
    """What cannot stand together is status 2 and named, in both languages."""
    for language in ("en", "zh"):
        done = alaya(walked[0], "recall", *argv, "--lang", language)
        assert (done.status, done.out) == (2, "")
        assert says in done.err.partition("usage:")[0].partition("用法")[0]


def test_a_path(walked: tuple[Path, list[str]], alaya: Run) -> None:
    """From one end of the chain to the other, each link as it reads on the way, with its reason."""
    home, cards = walked
    done = alaya(home, "recall", "--from", cards[0], "--to", cards[3])
    assert (done.status, done.err) == (0, "")
    for part in (
        f"Path: {cards[0]} → {cards[3]}",
        "↓ CAUSES (weight=1.00",
        "because: the same host 同一台主机",
        "↑ 受启发于 (weight=0.50",
        "↓ DEPENDS_ON",
        "Total distance: ",
        "(3 links, ",
    ):
        assert part in done.out, part
    assert [done.out.index(card) for card in cards[1:3]] == sorted(
        done.out.index(card) for card in cards[1:3]
    )
    back = alaya(home, "recall", "--from", cards[3], "--to", cards[0], "--lang", "zh")
    for part in ("路径：", "↑ DEPENDS_ON（权重=1.00", "↓ 受启发于", "↓ CAUSED_BY", "总距离："):
        assert part in back.out, part
    why = alaya(home, "recall", "--from", cards[0], "--to", cards[1], "--explain").out
    assert "alpha 0.5 × 0.000 + beta 0.3 × (1 - 0.50 × 1.00) + gamma 0.2 × 0.1 = 0.170" in why


def test_a_path_as_json(walked: tuple[Path, list[str]], alaya: Run) -> None:
    """The same as a document; the sum is right; what is asked may come from a pipe."""
    home, cards = walked
    found: dict[str, Any] = alaya(
        home, "recall", "--from", cards[0], "--to", cards[3], "--json"
    ).json
    chain = found["chain"]
    assert [node["id"] for node in chain["nodes"]] == cards
    assert [(s["rel"], s["against"]) for s in chain["steps"]] == [
        ("CAUSES", False),
        ("受启发于", True),
        ("DEPENDS_ON", False),
    ]
    assert found["distance"] == pytest.approx(sum(s["distance"] for s in chain["steps"]), abs=1e-3)
    assert (found["found"], found["closest"], found["complete"]) == (True, None, True)
    question = {"from": f"{spoken.TOOLS[0]} refused on port 7000", "to": cards[1], "depth": 1}
    with Memory.open(home, settings=SETTINGS) as memory:
        again = memory.path(question["from"], cards[1], max_depth=1)
    assert again.chain is not None
    assert [place.id for place in again.chain.places] == cards[:2]


def test_the_same_after_a_rebuild(walked: tuple[Path, list[str]], alaya: Run) -> None:
    """A path is what the archive says, not what the database happens to hold."""
    home, cards = walked
    argv = ("recall", "--from", cards[0], "--to", cards[3], "--json")

    def found() -> Any:
        return {k: v for k, v in alaya(home, *argv).json.items() if k != "latency_ms"}

    before = found()
    assert alaya(home, "rebuild").status == 0
    assert found() == before


def test_no_path(walked: tuple[Path, list[str]], alaya: Run) -> None:
    """No chain is an answer, not an error: how far it came; also when an end is not remembered."""
    home, cards = walked
    only = ("recall", "--from", cards[0], "--to", cards[3], "--rel", "CAUSES")
    done = alaya(home, *only)
    assert done.status == 0
    assert "No chain of at most 6 links leads there" in done.out
    assert "The closest that one came" in done.out or "No link leads closer" in done.out
    assert alaya(home, *only, "--json").json["closest"]["nodes"]
    chinese = alaya(home, *only, "--depth", "1", "--lang", "zh").out
    assert "没有不超过 1 条链接的路径可达" in chinese
    lost = alaya(home, "recall", "--from", "quasar spectroscopy", "--to", cards[0])
    assert lost.status == 0
    assert "Nothing relevant is remembered to begin or end at: quasar spectroscopy" in lost.out


@pytest.mark.parametrize(
    ("source", "target", "more", "says"),
    [
        ("card-nowhere", "{1}", [], "card-nowhere"),
        ("{0}", "card-nowhere", [], "card-nowhere"),
        ("{0}", "{0}", [], "two different ends"),
        ("", "{0}", [], "two ends"),
        ("{0}", "  ", [], "two ends"),
        ("{0}", "{1}", ["--depth", "99999999999"], "1 to 12"),
        ("{0}", "{1}", ["--depth", "0"], "1 to 12"),
        ("{0}", "{1}", ["--rel", "!!"], "relation name"),
        ("{0}", "{1}", ["--as-of", "someday"], "as_of"),
        ("{0}", "{1}", ["--user", "eve"], "no card-"),
    ],
)
def test_paths_that_cannot_be_asked_for(
    walked: tuple[Path, list[str]],
    alaya: Run,
    source: str,
    target: str,
    more: list[str],
    says: str,
) -> None:
    """A mistake of who asked: status 1, nothing printed, and what was wrong."""
    home, cards = walked
    ends = (source.format(*cards), target.format(*cards))
    done = alaya(home, "recall", "--from", ends[0], "--to", ends[1], *more)
    assert (done.status, done.out) == (1, "")
    assert says in done.err
    assert "Traceback" not in done.err
