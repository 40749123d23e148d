"""Asking a model: what is kept, counted, parked, within the budget, and when to stop."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from alaya.cli.language import translated
from alaya.distill.calls import Asker
from alaya.distill.parking import clear
from alaya.distill.usage import rows
from alaya.errors import ConfigError, ProviderError
from alaya.model.call import Answered, Call, Outcome, Price, Problem, Reply, Unanswered
from alaya.stores.files.archive import FileArchive
from alaya.testing.scripted_llm import ScriptedLLM

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SCHEMA = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"fact": {"type": "string"}, "turn": {"type": "integer"}},
                "required": ["fact", "turn"],
            },
        }
    },
    "required": ["facts"],
}
GOOD = {"facts": [{"fact": "她住在上海", "turn": 1}]}


def call(words: str = "[1] 我住在上海", **more: Any) -> Call:
    return Call("facts", "找出事实。", words, SCHEMA, **{"about": ("s1",), **more})


@pytest.fixture
def archive(tmp_path: Path) -> FileArchive:
    made = FileArchive(tmp_path)
    made.create()
    return made


def asker(archive: FileArchive, *script: Any, **more: Any) -> Asker:
    llm = ScriptedLLM(facts=script)
    return Asker(llm, archive, "default", lambda: NOW, lambda: 0.0, **more)


def asked(one: Asker) -> list[Call]:
    assert isinstance(one.llm, ScriptedLLM)
    return one.llm.calls


def test_what_was_answered_is_not_asked_again(archive: FileArchive) -> None:
    """The same call is answered from before; another user, prompt, model or `again` asks anew."""
    one = asker(archive, GOOD, GOOD, GOOD, GOOD)
    first, second = one.ask(call()), one.ask(call())
    assert isinstance(first, Answered)
    assert isinstance(second, Answered)
    assert (first.value, first.kept, second.value, second.kept) == (GOOD, False, GOOD, True)
    assert (len(first.usage), second.usage) == (1, ())
    assert len(asked(one)) == 1
    one.ask(call(), again=True)
    one.ask(replace(call(), system="别的"))
    replace(one, user="bob").ask(call())
    assert len(asked(one)) == 4
    other = ScriptedLLM("other/2", facts=[GOOD])
    replace(one, llm=other).ask(call())
    assert len(other.calls) == 1


def test_killed_in_the_middle(archive: FileArchive) -> None:
    """A call that was cut off counts with the most it may take, and is asked again."""

    class Killed(BaseException):
        pass

    def die(_: Call) -> str:
        raise Killed

    one = Asker(ScriptedLLM(facts=die), archive, "default", lambda: NOW, lambda: 0.0)
    with pytest.raises(Killed):
        one.ask(call())
    (left,) = archive.usages()
    assert left.outcome is Outcome.ASKED
    assert left.tokens == replace(call(), max_tokens=4096).tokens + 4096
    assert isinstance(asker(archive, GOOD).ask(call()), Answered)


def test_asked_again_with_the_reason(archive: FileArchive) -> None:
    """The second question shows the reply and, in the call's language, what is wrong with it."""
    one = asker(archive, '{"facts": [{"fact": "她住在上海"}]}', GOOD)
    found = one.ask(call(language="zh"))
    assert isinstance(found, Answered)
    assert [u.outcome for u in found.usage] == [Outcome.REJECTED, Outcome.ANSWERED]
    first, second = asked(one)
    assert first.rejected is None
    *_, (_, shown), (_, complaint) = second.messages
    assert shown == '{"facts": [{"fact": "她住在上海"}]}'
    assert "turn" in complaint
    assert "请重新回答" in complaint


def test_more_room_where_it_was_lacking(archive: FileArchive) -> None:
    """A reply that was cut off may be twice as long the second time."""
    one = asker(archive, Reply('{"facts": [{"fa', finish="length"), GOOD, max_tokens=300)
    assert isinstance(one.ask(call()), Answered)
    assert [c.max_tokens for c in asked(one)] == [300, 600]


def test_unusable_is_parked_until_it_is_answered(archive: FileArchive) -> None:
    """Both replies are parked word for word with the reason; a later answer takes them back."""
    found = asker(archive, "no", "nothing").ask(call())
    assert isinstance(found, Unanswered)
    assert (found.problem, found.parked, found.stop) == (Problem.NOT_JSON, True, False)
    (parked,) = archive.parked()
    assert "no JSON" in parked.reason
    assert parked.excerpt == "no\n\n--- asked again ---\n\nnothing"
    assert isinstance(asker(archive, GOOD).ask(call()), Answered)
    assert list(archive.parked()) == []


def test_clear(archive: FileArchive) -> None:
    """What was parked of a session is taken back when all of it has been dealt with."""
    for session in ("s1", "s2"):
        asker(archive, "no", "no").ask(call(about=(session,)))
    clear(archive, "s1", before=NOW)
    assert len(list(archive.parked())) == 2  # parked just now: it is not dealt with
    clear(archive, "s1", before=NOW + timedelta(seconds=1))
    (left,) = archive.parked()
    assert " s2 " in left.source


def test_an_outage_is_one_item_for_each_session_that_waits(archive: FileArchive) -> None:
    """However often, with whomever and in whatever words it was asked: counted, until answered."""
    for number in range(3):
        about = ("s1", "s2")[: 1 + number % 2]
        error = ProviderError(f"HTTP 503, request {number}")
        one = asker(archive, error).ask(call(f"[1] 第{number}句", about=about))
        assert isinstance(one, Unanswered)
        assert one.stop
    waiting = {p.source: p for p in archive.parked()}
    assert {name: p.times for name, p in waiting.items()} == {
        "model s1 facts": 3,
        "model s2 facts": 1,
    }
    assert waiting["model s1 facts"].reason == "HTTP 503, request 2"
    asker(archive, GOOD).ask(call("[1] 又说了一句"))
    assert [p.source for p in archive.parked()] == ["model s2 facts"]
    clear(archive, "s2", before=NOW + timedelta(seconds=1))  # as when rules distil it
    assert list(archive.parked()) == []


def test_what_is_whole_is_used(archive: FileArchive) -> None:
    """Where both replies have faults, whole items are used; what is lost is told and parked."""
    bad = {"facts": [*GOOD["facts"], {"fact": 1}]}
    for script in ([bad, bad], [bad, "nothing"], [bad, ProviderError("down")]):
        found = asker(archive, *script).ask(call(json.dumps([str(s) for s in script])))
        assert isinstance(found, Answered)
        assert found.value == GOOD
        assert "facts[1]" in found.lost[0]
        assert len(found.usage) == 2
    assert len(list(archive.parked())) >= 3


def test_budget(archive: FileArchive) -> None:
    """A call that would cross the day's tokens is not made; it is not parked, and says when."""
    one = asker(archive, GOOD, GOOD, max_tokens=100, max_tokens_per_day=300)
    assert isinstance(one.ask(call()), Answered)
    used = sum(u.tokens for u in archive.usages())
    found = one.ask(call("another", max_tokens=300 - used))
    assert isinstance(found, Unanswered)
    assert (found.problem, found.stop, found.parked, found.usage) == (
        Problem.BUDGET,
        True,
        False,
        (),
    )
    assert f"{used} are used today" in found.reason
    assert f"今天（UTC）已用 {used}" in translated(found.reason, "zh")
    assert len(asked(one)) == 1
    assert isinstance(one.ask(call()), Answered)  # it was answered before
    assert one.estimate([call("another")]).left_today == 300 - used


def test_all_stop_when_nobody_answers(archive: FileArchive) -> None:
    """After an outage the rest is not asked; every call has an answer, in order."""
    one = asker(archive, GOOD, ProviderError("down"), GOOD, concurrency=1)
    found = one.ask_all([call(str(n)) for n in range(4)])
    assert [isinstance(f, Answered) for f in found] == [True, False, False, False]
    assert len(asked(one)) == 2
    assert [f.reason for f in found if isinstance(f, Unanswered)] == [
        "down",
        "not asked after: down",
        "not asked after: down",
    ]
    assert asker(archive).ask_all([]) == []


def test_side_by_side(archive: FileArchive) -> None:
    """Calls that are made at the same time are answered each for itself, in order, and counted."""
    llm = ScriptedLLM(facts=lambda c: {"facts": [{"fact": c.user, "turn": 1}]})
    one = Asker(llm, archive, "default", lambda: NOW, lambda: 0.0, concurrency=4)
    words = [f"{n}" for n in range(12)]
    found = one.ask_all([call(w) for w in words])
    assert [f.value["facts"][0]["fact"] for f in found if isinstance(f, Answered)] == words
    assert [u.outcome for u in archive.usages()] == [Outcome.ANSWERED] * 12


def test_a_mistake_is_raised_and_counted(archive: FileArchive) -> None:
    """Only the user can mend a wrong key: nothing else is asked."""
    with pytest.raises(ConfigError, match="no key"):
        asker(archive, ConfigError("no key"), GOOD).ask_all([call("a")])
    assert [u.outcome for u in archive.usages()] == [Outcome.FAILED]


def test_estimate_and_rows(archive: FileArchive) -> None:
    """A dry run tells calls, tokens and cost at most; afterwards they are counted by day."""
    price = Price(1.0, 2.0)
    one = asker(archive, GOOD, "no", GOOD, price=price, currency="元", max_tokens=50)
    before = one.estimate([call("a"), call("b")])
    assert (before.calls, before.kept, before.tokens_out, before.left_today) == (2, 0, 100, None)
    assert before.cost == price.of(before.tokens_in, 100)
    assert list(archive.usages()) == []
    one.ask(call("a"))
    one.ask(call("b"))
    (row,) = rows(archive.usages())
    assert (row.day, row.stage, row.model, row.calls) == ("2026-11-30", "facts", "scripted/1", 3)
    assert (row.answered, row.rejected, row.parked, row.failed, row.unfinished) == (2, 1, 0, 0, 0)
    assert row.cost == pytest.approx(price.of(row.tokens_in, row.tokens_out))
    assert one.estimate([call("a"), call("c")]).kept == 1


_PROCESS = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from alaya.model.call import Usage
from alaya.stores.files.archive import FileArchive
archive = FileArchive(Path(sys.argv[1]))
at = datetime(2026, 11, 30, tzinfo=UTC)
begun = [
    archive.begin_usage(Usage(f"{sys.argv[2]}-{n}", at, "u", "s", "m", "h", 90, 10), limit=1_000)
    for n in range(20)
]
print(begun.count(None))
"""


def test_budget_of_several_processes(archive: FileArchive) -> None:
    """Three processes that ask at the same time do not cross the limit together, and reach it."""
    command = [sys.executable, "-c", _PROCESS, str(archive.home)]
    running = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(3)
    ]
    begun = [int(process.communicate(timeout=100)[0]) for process in running]
    assert sum(begun) == 10
    assert sum(usage.tokens for usage in archive.usages()) == 1_000
