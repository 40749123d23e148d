"""Asking a model so that nothing is lost: budget, one question, one more with the error, or parked.

A reply that could be used is kept, so that what was killed in the middle does not ask again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import uuid4

from alaya.distill import parking
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

    def kept(self, call: Call) -> Answered | None:
        """What was answered before, if it was; nothing is asked."""
        return _kept(_asked(self, call))

    def keep(self, call: Call, text: str) -> None:
        """Keep a reply to a call that was not made: what is known from another one."""
        about, model = call.about, self.llm.name
        kept = KeptReply(
            self.clock(), self.user, call.stage, model, call.version, about, Reply(text)
        )
        self.archive.keep_reply(_asked(self, call).key, kept)

    def estimate(self, calls: Sequence[Call]) -> Estimate:
        """What these calls would take at most; nothing is asked."""
        return forecast(self, calls)


def ask(asker: Asker, call: Call, *, again: bool = False) -> Answered | Unanswered:
    """See `Asker.ask`."""
    asked = _asked(asker, call)
    if not again and (kept := _kept(asked)) is not None:
        return kept
    first = _once(asked)
    if isinstance(first, Unanswered):
        return first
    if first.reading.problem is None:
        return _answered(asked, [first])
    if first.reading.problem in _HOPELESS:
        return _parked(asked, [first])
    asker.archive.end_usage(_became(first, Outcome.REJECTED))  # so that the budget knows it
    second = _once(replace(asked, call=_repeated(asked.call, first)), last=True)
    if isinstance(second, Unanswered):
        return _unanswered_again(asked, first, second=second)
    if second.reading.problem is None:
        return _answered(asked, [first, second])
    return _salvaged(asked, first, others=[second]) or _parked(asked, [first, second])


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

    if min(asker.concurrency, len(calls)) <= 1:  # an interruption then need not wait for a thread
        return [one(call) for call in calls]
    workers = ThreadPoolExecutor(min(asker.concurrency, len(calls)))
    try:
        return list(workers.map(one, calls))
    finally:
        workers.shutdown(wait=True, cancel_futures=True)


def forecast(asker: Asker, calls: Sequence[Call]) -> Estimate:
    """See `Asker.estimate`."""
    new = [asked.call for call in calls if _kept(asked := _asked(asker, call)) is None]
    tokens_in, tokens_out = sum(c.tokens for c in new), sum(c.max_tokens for c in new)
    left = None
    if asker.max_tokens_per_day:
        left = max(0, asker.max_tokens_per_day - used_today(asker.archive, asker.clock()))
    return Estimate(
        calls=len(calls),
        kept=len(calls) - len(new),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=None if asker.price is None else asker.price.of(tokens_in, tokens_out),
        currency=asker.currency,
        left_today=left,
        stages=dict(Counter(call.stage for call in new)),
    )


def used_today(archive: Archive, now: datetime) -> int:
    """Tokens of the day (UTC) so far, of all users, and the most that what is under way takes."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return sum(usage.tokens for usage in archive.usages(midnight))


@dataclass(frozen=True)
class _Asked:
    """A call as it is made, and the name under which its reply is kept."""

    asker: Asker
    call: Call
    key: str

    @property
    def source(self) -> str:
        """What a parked reply is named by."""
        return parking.source(self.call, self.key)

    def unanswered(self, problem: Problem, reason: str) -> Unanswered:
        return Unanswered(problem, reason, self.asker.llm.name, self.call.version)


@dataclass(frozen=True)
class _Try:
    """One reply, how it reads, and what it cost."""

    reply: Reply
    reading: Reading
    usage: Usage


def _asked(asker: Asker, call: Call) -> _Asked:
    call = replace(call, max_tokens=call.max_tokens or asker.max_tokens)
    return _Asked(asker, call, call.key(asker.llm.name, asker.user))


def _kept(asked: _Asked) -> Answered | None:
    found = asked.asker.archive.kept_reply(asked.key)
    if found is None:
        return None
    reading = read(found.reply, asked.call, last=True)
    if reading.value is None:  # it is read by other rules than when it was kept
        return None
    return replace(_answer(asked, found.reply, reading=reading), kept=True)


def _once(asked: _Asked, *, last: bool = False) -> _Try | Unanswered:
    """One request within the budget, written down before and after."""
    asker, call = asked.asker, asked.call
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
        return asked.unanswered(Problem.BUDGET, _over_budget(asker, begun, used=used))
    start = asker.timer()
    try:
        reply = asker.llm.complete(call)
    except AlayaError as error:
        latency = (asker.timer() - start) * 1000
        nothing = replace(begun, tokens_in=0, tokens_out=0, latency_ms=latency)
        failed = replace(nothing, outcome=Outcome.FAILED, reason=str(error))
        asker.archive.end_usage(failed)
        if not isinstance(error, ProviderError):
            raise
        parking.silent(asker.archive, asked.call, reason=str(error), at=failed.at)
        answer = asked.unanswered(Problem.NO_ANSWER, str(error))
        return replace(answer, usage=(failed,), parked=True)
    latency = (asker.timer() - start) * 1000
    usage = replace(_counted(call, reply, begun=begun), latency_ms=latency)
    if asker.price is not None:
        usage = replace(usage, cost=asker.price.of(usage.tokens_in, usage.tokens_out))
    return _Try(reply, read(reply, call, last=last), usage)


def _counted(call: Call, reply: Reply, *, begun: Usage) -> Usage:
    """The usage of a reply; what the server does not count is estimated."""
    return replace(
        begun,
        tokens_in=call.tokens if reply.tokens_in is None else reply.tokens_in,
        tokens_out=estimate(reply.text) if reply.tokens_out is None else reply.tokens_out,
        estimated=reply.tokens_in is None or reply.tokens_out is None,
        tries=reply.tries,
    )


def _over_budget(asker: Asker, begun: Usage, *, used: int) -> str:
    return (
        f"distill.max_tokens_per_day is {asker.max_tokens_per_day}: "
        f"{used} are used today (UTC), and this call may take {begun.tokens} more; "
        "go on tomorrow, or raise the limit"
    )


def _repeated(call: Call, first: _Try) -> Call:
    """The same once more, with what was wrong; with more room where that was lacking."""
    problem = first.reading.problem or Problem.NOT_JSON
    room = call.max_tokens * 2 if problem in _LONGER else call.max_tokens
    rejected = Rejected(first.reply.text, first.reading.complaint, problem)
    return replace(call, rejected=rejected, max_tokens=room)


def _answered(asked: _Asked, tried: Sequence[_Try]) -> Answered:
    """Keep the reply, then write down what it took. The last one tried is the one that is used."""
    asker, call, best = asked.asker, asked.call, tried[-1]
    about, model = call.about, asker.llm.name
    kept = KeptReply(
        asker.clock(), asker.user, call.stage, model, call.version, about, reply=best.reply
    )
    asker.archive.keep_reply(asked.key, kept)
    usage = _settle(asked, tried, outcome=Outcome.ANSWERED)
    parking.answered(asker.archive, call, key=asked.key)
    if best.reading.lost:
        _park(asked, tried, reason="left out: " + "; ".join(best.reading.lost))
    return replace(_answer(asked, best.reply, reading=best.reading), usage=usage)


def _answer(asked: _Asked, reply: Reply, *, reading: Reading) -> Answered:
    return Answered(
        value=reading.value or {},
        raw=reply.text,
        model=asked.asker.llm.name,
        prompt_hash=asked.call.version,
        mended=reading.mended,
        lost=reading.lost,
    )


def _salvaged(asked: _Asked, first: _Try, *, others: Sequence[_Try]) -> Answered | None:
    """What the first reply holds, where the second is of no use at all."""
    reading = read(first.reply, asked.call, last=True)
    if reading.value is None:
        return None
    return _answered(asked, [*others, replace(first, reading=reading)])


def _unanswered_again(asked: _Asked, first: _Try, *, second: Unanswered) -> Answered | Unanswered:
    saved = _salvaged(asked, first, others=[])
    if saved is not None:
        return replace(saved, usage=(*saved.usage, *second.usage))
    usage = _settle(asked, [first], outcome=Outcome.PARKED)
    _park(asked, [first], reason=first.reading.complaint)
    return replace(second, usage=(*usage, *second.usage), parked=True)


def _parked(asked: _Asked, tried: Sequence[_Try]) -> Unanswered:
    last = tried[-1].reading
    usage = _settle(asked, tried, outcome=Outcome.PARKED)
    _park(asked, tried, reason=last.complaint)
    answer = asked.unanswered(last.problem or Problem.NOT_JSON, last.complaint)
    return replace(answer, usage=usage, parked=True)


def _settle(asked: _Asked, tried: Sequence[_Try], *, outcome: Outcome) -> tuple[Usage, ...]:
    """Write down what became of each: the last has the outcome, those before were rejected."""
    *before, last = tried
    found = [*(_became(one, Outcome.REJECTED) for one in before), _became(last, outcome)]
    for usage in found:
        asked.asker.archive.end_usage(usage)
    return tuple(found)


def _became(one: _Try, outcome: Outcome) -> Usage:
    return replace(one.usage, outcome=outcome, reason=one.reading.complaint)


def _park(asked: _Asked, tried: Sequence[_Try], *, reason: str) -> None:
    text = "\n\n--- asked again ---\n\n".join(one.reply.text[:_EXCERPT] for one in tried)
    asker = asked.asker
    why = f"{asker.llm.name}: {reason}"
    asker.archive.park(Parked(asked.source, why, asker.clock(), excerpt=text))
