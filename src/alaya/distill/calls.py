"""Asking a model so that nothing is lost: budget, one question, one more with the error, or parked.

A reply that could be used is kept, so that what was killed in the middle does not ask again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import uuid4

from alaya.distill.replies import Reading, read
from alaya.errors import AlayaError, ProviderError
from alaya.model.call import (
    Answered,
    Call,
    Estimate,
    KeptReply,
    Outcome,
    Price,
    Problem,
    Rejected,
    Reply,
    Unanswered,
    Usage,
)
from alaya.model.record import Parked
from alaya.model.tokens import estimate
from alaya.ports import LLM, Archive

_EXCERPT = 1_000_000  # characters of a reply that are parked
_HOPELESS = (Problem.REFUSED, Problem.TOO_LONG)  # the same question gets the same answer
_LONGER = (Problem.TRUNCATED, Problem.EMPTY)  # may have lacked room


@dataclass(frozen=True)
class Asker:
    """A model with what is needed to ask it. `price`: None where none is configured.

    `max_tokens`: of a reply, where a call does not say. `max_tokens_per_day` 0: no limit.
    """

    llm: LLM
    archive: Archive
    user: str
    clock: Callable[[], datetime]
    timer: Callable[[], float]
    price: Price | None = None
    currency: str = "USD"
    max_tokens: int = 4096
    max_tokens_per_day: int = 0
    concurrency: int = 2
    new_id: Callable[[], str] = field(default=lambda: uuid4().hex)

    def ask(self, call: Call, *, again: bool = False) -> Answered | Unanswered:
        """What the model says to a call, checked; from before where it was asked before.

        `again` asks anew in any case. Raises ConfigError when key, URL or model are to blame.
        """
        return ask(self, call, again=again)

    def ask_all(self, calls: Sequence[Call], *, again: bool = False) -> list[Answered | Unanswered]:
        """`ask` for each, side by side; after one that says `stop` the rest is not asked."""
        return ask_all(self, calls, again=again)

    def estimate(self, calls: Sequence[Call]) -> Estimate:
        """What these calls would take at most; nothing is asked."""
        return forecast(self, calls)

    def clear(self, session: str) -> None:
        """Forget what was parked of a session: all of it has been dealt with since."""
        for parked in list(self.archive.parked()):
            if parked.source.startswith("model ") and f" {session} " in parked.source:
                self.archive.unpark(parked.source)


def ask(asker: Asker, call: Call, *, again: bool = False) -> Answered | Unanswered:
    """See `Asker.ask`."""
    call = replace(call, max_tokens=call.max_tokens or asker.max_tokens)
    key = call.key(asker.llm.name, asker.user)
    if not again and (kept := _kept(asker, call, key)) is not None:
        return kept
    first = _once(asker, call, key)
    if isinstance(first, Unanswered):
        return first
    if first.reading.problem is None:
        return _answered(asker, call, [first])
    if first.reading.problem in _HOPELESS:
        return _parked(asker, call, [first])
    asker.archive.end_usage(_became(first, Outcome.REJECTED))  # so that the budget knows it
    second = _once(asker, _repeated(call, first), key, last=True)
    if isinstance(second, Unanswered):
        return _unanswered_again(asker, call, first, second)
    tried = [first, second]
    if second.reading.problem is None:
        return _answered(asker, call, tried)
    return _salvaged(asker, call, tried) or _parked(asker, call, tried)


def ask_all(
    asker: Asker, calls: Sequence[Call], *, again: bool = False
) -> list[Answered | Unanswered]:
    """See `Asker.ask_all`."""
    stopped: list[Unanswered] = []

    def one(call: Call) -> Answered | Unanswered:
        if stopped:
            reason = f"not asked after: {stopped[0].reason}"
            return replace(
                stopped[0], reason=reason, prompt_hash=call.version, usage=(), parked=False
            )
        found = ask(asker, call, again=again)
        if isinstance(found, Unanswered) and found.stop:
            stopped.append(found)
        return found

    workers = ThreadPoolExecutor(min(asker.concurrency, max(1, len(calls))))
    try:
        return list(workers.map(one, calls))
    finally:
        workers.shutdown(wait=True, cancel_futures=True)


def forecast(asker: Asker, calls: Sequence[Call]) -> Estimate:
    """See `Asker.estimate`."""
    whole = [replace(call, max_tokens=call.max_tokens or asker.max_tokens) for call in calls]
    new = [c for c in whole if _kept(asker, c, c.key(asker.llm.name, asker.user)) is None]
    tokens_in, tokens_out = sum(c.tokens for c in new), sum(c.max_tokens for c in new)
    left = None
    if asker.max_tokens_per_day:
        left = max(0, asker.max_tokens_per_day - used_today(asker.archive, asker.clock()))
    return Estimate(
        calls=len(whole),
        kept=len(whole) - len(new),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=None if asker.price is None else asker.price.of(tokens_in, tokens_out),
        currency=asker.currency,
        left_today=left,
    )


def used_today(archive: Archive, now: datetime) -> int:
    """Tokens of the day (UTC) so far, of all users, and the most that what is under way takes."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return sum(usage.tokens for usage in archive.usages(midnight))


@dataclass(frozen=True)
class _Try:
    """One reply, how it reads, and what it cost."""

    call: Call
    reply: Reply
    reading: Reading
    usage: Usage
    key: str


def _kept(asker: Asker, call: Call, key: str) -> Answered | None:
    found = asker.archive.kept_reply(key)
    if found is None:
        return None
    reading = read(found.reply, call, last=True)
    if reading.value is None:  # it is read by other rules than when it was kept
        return None
    return Answered(
        value=reading.value,
        raw=found.reply.text,
        model=asker.llm.name,
        prompt_hash=call.version,
        mended=reading.mended,
        lost=reading.lost,
        kept=True,
    )


def _once(asker: Asker, call: Call, key: str, *, last: bool = False) -> _Try | Unanswered:
    """One request within the budget, written down before and after."""
    begun = Usage(
        id=asker.new_id(),
        at=asker.clock(),
        user=asker.user,
        stage=call.stage,
        model=asker.llm.name,
        prompt_hash=call.version,
        tokens_in=call.tokens,
        tokens_out=call.max_tokens,
        currency=asker.currency if asker.price else "",
        estimated=True,
    )
    used = asker.archive.begin_usage(begun, limit=asker.max_tokens_per_day)
    if used is not None:
        return _over_budget(asker, call, used)
    start = asker.timer()
    try:
        reply = asker.llm.complete(call)
    except AlayaError as error:
        ended = replace(
            begun,
            tokens_in=0,
            tokens_out=0,
            outcome=Outcome.FAILED,
            latency_ms=(asker.timer() - start) * 1000,
            reason=str(error),
        )
        asker.archive.end_usage(ended)
        if not isinstance(error, ProviderError):
            raise
        return Unanswered(
            Problem.NO_ANSWER, str(error), asker.llm.name, call.version, usage=(ended,)
        )
    usage = _counted(asker, begun, call, reply=reply, since=start)
    return _Try(call, reply, read(reply, call, last=last), usage, key)


def _counted(asker: Asker, begun: Usage, call: Call, *, reply: Reply, since: float) -> Usage:
    """The usage of a reply; what the server does not count is estimated."""
    told = reply.tokens_in is not None and reply.tokens_out is not None
    tokens_in = call.tokens if reply.tokens_in is None else reply.tokens_in
    tokens_out = estimate(reply.text) if reply.tokens_out is None else reply.tokens_out
    return replace(
        begun,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        latency_ms=(asker.timer() - since) * 1000,
        cost=None if asker.price is None else asker.price.of(tokens_in, tokens_out),
        estimated=not told,
        tries=reply.tries,
    )


def _over_budget(asker: Asker, call: Call, used: int) -> Unanswered:
    reason = (
        f"distill.max_tokens_per_day is {asker.max_tokens_per_day}: {used} are used today (UTC), "
        f"and this call may take {call.tokens + call.max_tokens} more; "
        "go on tomorrow, or raise the limit"
    )
    return Unanswered(Problem.BUDGET, reason, asker.llm.name, call.version)


def _repeated(call: Call, first: _Try) -> Call:
    """The same once more, with what was wrong; with more room where that was lacking."""
    problem = first.reading.problem or Problem.NOT_JSON
    room = call.max_tokens * 2 if problem in _LONGER else call.max_tokens
    rejected = Rejected(first.reply.text, first.reading.complaint, problem)
    return replace(call, rejected=rejected, max_tokens=room)


def _answered(asker: Asker, call: Call, tried: Sequence[_Try]) -> Answered:
    """Keep the reply, then write down what it took. The last one tried is the one that is used."""
    best = tried[-1]
    asker.archive.keep_reply(
        best.key,
        KeptReply(
            at=asker.clock(),
            user=asker.user,
            stage=call.stage,
            model=asker.llm.name,
            prompt_hash=call.version,
            about=call.about,
            reply=best.reply,
        ),
    )
    usage = _settle(asker, tried, Outcome.ANSWERED)
    source = _source(call, best.key)
    asker.archive.unpark(source)
    reading = best.reading
    if reading.lost:
        _park(asker, call, tried, reason="left out: " + "; ".join(reading.lost))
    return Answered(
        value=reading.value or {},
        raw=best.reply.text,
        model=asker.llm.name,
        prompt_hash=call.version,
        usage=usage,
        mended=reading.mended,
        lost=reading.lost,
    )


def _salvaged(asker: Asker, call: Call, tried: Sequence[_Try]) -> Answered | None:
    """What the first reply holds, where the second is of no use at all."""
    first, *others = tried
    reading = read(first.reply, call, last=True)
    if reading.value is None:
        return None
    return _answered(asker, call, [*others, replace(first, reading=reading)])


def _unanswered_again(
    asker: Asker, call: Call, first: _Try, second: Unanswered
) -> Answered | Unanswered:
    saved = _salvaged(asker, call, [first])
    if saved is not None:
        return replace(saved, usage=(*saved.usage, *second.usage))
    usage = _settle(asker, [first], Outcome.PARKED)
    _park(asker, call, [first], reason=first.reading.complaint)
    return replace(second, usage=(*usage, *second.usage), parked=True)


def _parked(asker: Asker, call: Call, tried: Sequence[_Try]) -> Unanswered:
    last = tried[-1].reading
    usage = _settle(asker, tried, Outcome.PARKED)
    _park(asker, call, tried, reason=last.complaint)
    return Unanswered(
        last.problem or Problem.NOT_JSON,
        last.complaint,
        asker.llm.name,
        call.version,
        usage=usage,
        parked=True,
    )


def _settle(asker: Asker, tried: Sequence[_Try], outcome: Outcome) -> tuple[Usage, ...]:
    """Write down what became of each: the last has the outcome, those before were rejected."""
    found = []
    for number, one in enumerate(tried, 1):
        found.append(_became(one, outcome if number == len(tried) else Outcome.REJECTED))
        asker.archive.end_usage(found[-1])
    return tuple(found)


def _became(one: _Try, outcome: Outcome) -> Usage:
    return replace(one.usage, outcome=outcome, reason=one.reading.complaint)


def _park(asker: Asker, call: Call, tried: Sequence[_Try], *, reason: str) -> None:
    text = "\n\n--- asked again ---\n\n".join(one.reply.text[:_EXCERPT] for one in tried)
    source = _source(call, tried[-1].key)
    asker.archive.park(Parked(source, f"{asker.llm.name}: {reason}", asker.clock(), excerpt=text))


def _source(call: Call, key: str) -> str:
    """What a parked reply is named by: `Asker.clear` finds it by the session."""
    return f"model {' '.join(call.about) or '-'} {call.stage} {key}"
