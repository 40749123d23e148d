"""What the writing commands print: a report value in, lines out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from alaya.cli.page import Page, day, duration, one_line, printable, size
from alaya.model.graph import Link
from alaya.model.report import (
    Discovered,
    DistillReport,
    EmbeddingStatus,
    ExportReport,
    IngestReport,
    Outcome,
    RebuildReport,
    SessionDistil,
    SessionTaken,
    SummariesReport,
)

_REASONS = 8  # why something was skipped: these many are named
_LEVELS = ("topic", "session", "theme")  # of summaries
_MANY = 20  # sessions: more than this are only counted


def tilde(path: str) -> str:
    """The path as people write it: the home directory is `~`."""
    home = str(Path.home())
    return "~" + path[len(home) :] if home != "/" and path.startswith(home + "/") else path


def init_lines(created: Sequence[str], page: Page, *, home: str) -> list[str]:
    """`alaya init`."""
    if not created:
        return [page.done(page.say("init.already", home=tilde(home)))]
    files = [item for item in created if Path(item).suffix]
    folders = len(created) > len(files)
    return [
        *([page.done(page.say("init.folders", home=tilde(home)))] if folders else []),
        *(page.done(page.say("init.created", path=tilde(str(Path(home, f))))) for f in files),
        page.done(page.say("init.ready")),
        *page.hints(page.say("init.next")),
    ]


def ingest_lines(report: IngestReport, page: Page) -> list[str]:
    """`alaya ingest`: each session, then what was skipped, parked and replaced."""
    lines: list[str] = []
    shown = report.sessions if len(report.sessions) <= _MANY else ()
    for taken in shown:
        lines += _taken(taken, page)
    say = page.say
    new = sum(taken.created for taken in report.sessions)
    lines.append(
        page.done(say("ingest.total", sessions=len(report.sessions), new=new, turns=report.turns))
    )
    if report.unchanged:
        lines.append(say("ingest.unchanged", count=report.unchanged))
    if report.skipped:
        lines.append(say("ingest.skipped", what=_counts(report.skipped)))
    if report.redacted:
        total, what = sum(report.redacted.values()), _counts(report.redacted)
        lines.append(say("ingest.redacted", count=total, what=what))
    if report.parked:
        lines.append(page.warn(say("ingest.parked", count=len(report.parked))))
        for item in report.parked[:_MANY]:
            place = tilde(item.source) + (f":{item.line}" if item.line is not None else "")
            lines.append(f"  {printable(place)}: {one_line(item.reason, 300)}")
        if len(report.parked) > _MANY:
            lines.append("  " + say("more", count=len(report.parked) - _MANY))
    if report.embedding == "started":
        lines += page.hints(say("ingest.embedding"))
    if report.sessions:
        lines += page.hints(say("ingest.next"))
    return lines


def _taken(taken: SessionTaken, page: Page) -> list[str]:
    session, say = taken.session, page.say
    facts = []
    milliseconds = session.metadata.get("duration_ms")
    if isinstance(milliseconds, int | float) and milliseconds > 0:
        facts.append(say("ingest.duration", time=duration(milliseconds / 1000)))
    facts.append(say("ingest.tokens", count=taken.tokens))
    if session.channel:
        facts.append(say("ingest.channel", name=one_line(session.channel, 40)))
    if session.kind.value != "main":
        facts.append(say("ingest.kind", kind=say(f"session.{session.kind.value}")))
    return [
        page.heading("📥", say("ingest.session", id=one_line(session.id, 100))),
        "  " + " | ".join(facts),
        page.done(say("ingest.turns", new=taken.new_turns, total=taken.total_turns), indent="  "),
        page.done(say("ingest.saved", path=tilde(taken.path)), indent="  "),
    ]


def discovered_lines(found: Sequence[Discovered], page: Page) -> list[str]:
    """`alaya ingest --discover`: what would be taken."""
    say = page.say
    if not found:
        return [say("discover.nothing")]
    new = [item for item in found if not item.known]
    lines = [page.heading("🔎", say("discover.found", count=len(found), new=len(new)))]
    for item in found:
        mark = say("discover.known") if item.known else say("discover.new")
        facts = f"{item.format}, {size(item.bytes)}, {day(item.modified_at)}"
        lines.append(f"  [{mark}] {printable(tilde(item.path))} ({facts})")
    if new:
        lines.append(say("discover.total", count=len(new), size=size(sum(i.bytes for i in new))))
    return lines


def distill_lines(report: DistillReport, page: Page, *, llm: str | None = None) -> list[str]:
    """`alaya distill`. `llm`: the configured provider, when it was not what distilled."""
    say = page.say
    useful = [s for s in report.sessions if s.cards]
    lines: list[str] = []
    for item in useful[:_MANY]:
        lines += _distilled(item, page)
    if len(useful) > _MANY:
        lines.append(say("more", count=len(useful) - _MANY))
    others = Counter(s.outcome for s in report.sessions if s.outcome is not Outcome.DISTILLED)
    for outcome, count in others.items():
        lines.append(say(f"outcome.{outcome.value}", count=count))
    if len(report.sessions) == 1 and report.sessions[0].because:
        lines.append("  " + page.local(one_line(report.sessions[0].because, 300)))
    dropped = sum(s.dropped for s in report.sessions)
    if dropped:
        lines.append(say("distill.dropped", count=dropped))
    done = say(
        "distill.complete",
        sessions=len(report.sessions),
        cards=report.cards,
        links=report.links,
    )
    lines.append(page.done(done if report.sessions else say("distill.none")))
    lines += _summed_up(report.summaries, page)
    if report.model:
        lines.append(say("distill.model", name=report.model))
    elif llm:
        lines.append(say("distill.not_yet", provider=llm))
    else:
        lines.append(say("distill.rules"))
        lines.append(say("distill.configure"))
    return lines


def _summed_up(report: SummariesReport | None, page: Page) -> list[str]:
    """How many summaries were made of each level, and why others were not."""
    if report is None:
        return []
    lines = []
    if report.made:
        counts = Counter(level for _, level, _ in report.made)
        lines.append(page.say("distill.summaries", **{n: counts[n] for n in _LEVELS}))
    reasons = [page.local(one_line(why, 300)) for why in report.left]
    return lines + [page.say("distill.summaries_left", reason=why) for why in reasons]


def _distilled(item: SessionDistil, page: Page) -> list[str]:
    say = page.say
    lines = [
        page.heading("🧠", say("distill.session", id=one_line(item.session, 100))),
        "  " + say("distill.found", count=len(item.cards)),
    ]
    for _, title, kind in item.cards:
        lines.append(page.done(say("distill.card", title=one_line(title, 120), kind=kind), "  "))
    if item.links:
        lines.append("  " + say("distill.links", count=len(item.links)))
    for source, relation, target in item.links:
        text = f'"{one_line(source, 60)}" {relation} "{one_line(target, 60)}"'
        lines.append(page.done(text, "  "))
    return lines


def link_lines(link: Link, page: Page) -> list[str]:
    """`alaya link`."""
    return [
        page.done(
            page.say(
                "link.created" if link.recorded_at is None else "link.known",
                edge=f"{link.source} {link.relation} {link.target}",
            )
        )
    ]


def export_lines(report: ExportReport, page: Page) -> list[str]:
    """`alaya export`."""
    say, folder = page.say, tilde(report.folder)
    kinds = sorted({part for file in report.files if (part := _kind_folder(file))})
    lines = [
        page.heading("📦", say("export.start")),
        page.done(say("export.cards", count=report.cards, path=f"{folder}/cards/"), "  "),
        *(f"    - {kind}/" for kind in kinds),
        page.done(say("export.graph", count=report.links, path=f"{folder}/graph.graphml"), "  "),
        page.done(say("export.index", path=f"{folder}/index.md"), "  "),
    ]
    if report.sessions:
        path = f"{folder}/sessions/"
        lines.append(page.done(say("export.sessions", count=report.sessions, path=path), "  "))
    return [*lines, say("export.complete", path=folder + "/")]


def _kind_folder(file: str) -> str | None:
    parts = PurePath(file).parts
    return parts[-2] if len(parts) >= 2 and "cards" in parts[:-2] else None


def rebuild_lines(report: RebuildReport, page: Page) -> list[str]:
    """`alaya rebuild` and `alaya rebuild-l1`."""
    say = page.say
    return [
        page.done(say("rebuild.done", records=report.records, time=duration(report.seconds))),
        "  " + say("rebuild.counts", cards=report.cards, links=report.links, turns=report.turns),
        "  " + say("rebuild.vectors", count=report.vectors),
    ]


def embed_lines(state: EmbeddingStatus, page: Page, *, done: int) -> list[str]:
    """`alaya embed`."""
    say = page.say
    if not done and not state.pending:
        return [page.done(say("embed.nothing"))]
    lines = [page.done(say("embed.done", count=done))]
    return [*lines, say("embed.left", count=state.pending)] if state.pending else lines


def _counts(counts: Mapping[str, int]) -> str:
    """`12 × thinking, 3 × empty message`, the most frequent first."""
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{count:,} × {one_line(name, 60)}" for name, count in most[:_REASONS]]
    if len(most) > _REASONS:
        shown.append(f"{sum(count for _, count in most[_REASONS:]):,} × …")
    return ", ".join(shown)
