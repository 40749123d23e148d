"""What a model is asked, what it writes, and what that cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from alaya.model.ids import clean, digest
from alaya.model.tokens import estimate

MESSAGE_TOKENS = 8  # what a server puts around each message, at most
_SHOWN_AGAIN = 2_000  # characters of a rejected reply that the model sees again
_FORM = {
    "en": "Reply with JSON only: no prose, no code fence. It must match this JSON schema:",
    "zh": "只用 JSON 回答：不要解释，不要代码围栏。必须符合这个 JSON Schema：",
}
_AGAIN = {
    "en": "That reply cannot be used: {complaint}. Reply again, with the whole JSON and only that.",
    "zh": "上面的回答无法使用：{complaint}。请重新回答，只给出完整的 JSON。",
}


class Problem(StrEnum):
    """Why a reply cannot be used."""

    EMPTY = "empty"  # nothing was written, or only thoughts
    TRUNCATED = "truncated"  # it ends before its end
    NOT_JSON = "not_json"
    WRONG_SHAPE = "wrong_shape"  # JSON, but not what the schema says
    WRONG_LANGUAGE = "wrong_language"
    REFUSED = "refused"  # the model or its filter will not answer this
    TOO_LONG = "too_long"  # the prompt does not fit the model
    TOO_LARGE = "too_large"  # the reply was cut off for its size
    NO_ANSWER = (
        "no_answer"  # the server could not be reached, was busy or failed, whatever the tries
    )
    BUDGET = "budget"  # it was not asked: the day's tokens are used up


@dataclass(frozen=True)
class Rejected:
    """A reply that could not be used, and why: shown to the model when it is asked again."""

    text: str
    complaint: str
    problem: Problem


@dataclass(frozen=True)
class Call:
    """One question to a model.

    `stage` says what for (`distill`, `facts`, `topic`, `summary` …); usage is summed by it. The
    reply must match the JSON schema `schema`, whose root is an object; an array property that the
    model leaves out is empty. `about` are the sessions whose words are sent. `language`, `zh` or
    `en`: what the reply must be written in; empty: either. `max_tokens` of the reply, 0: as
    configured. `prompt_hash` names the prompt's version; empty: hash of `system` and `schema`.
    """

    stage: str
    system: str
    user: str
    schema: Mapping[str, Any]
    about: tuple[str, ...] = ()
    language: str = ""
    max_tokens: int = 0
    prompt_hash: str = ""
    rejected: Rejected | None = None

    @property
    def version(self) -> str:
        """The hash of the prompt, the same for all that is asked with it."""
        return self.prompt_hash or digest("prompt", self.system, self.schema)

    @cached_property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """(role, words) as a server gets them; the schema stands in the first."""
        tongue = self.language or "en"
        form = json.dumps(self.schema, ensure_ascii=False, separators=(",", ":"))
        found = [
            ("system", clean(f"{self.system.rstrip()}\n\n{_FORM[tongue]}\n{form}".lstrip())),
            ("user", clean(self.user)),
        ]
        if self.rejected is not None:
            found += [
                ("assistant", clean(self.rejected.text[:_SHOWN_AGAIN]) or "…"),
                ("user", clean(_AGAIN[tongue].format(complaint=self.rejected.complaint))),
            ]
        return tuple(found)

    @cached_property
    def tokens(self) -> int:
        """About how many tokens are sent, on the cautious side."""
        return sum(estimate(words) + MESSAGE_TOKENS for _, words in self.messages)

    def key(self, model: str, user: str) -> str:
        """A hash that is the same when the same is asked of the same model for the same user."""
        return digest("call", user, model, self.stage, self.messages, self.max_tokens)


@dataclass(frozen=True)
class Reply:
    """What a model wrote, as it came. It is untrusted.

    Tokens are None where the server does not tell. `finish` is the server's word for why it ended
    (`stop`, `length` …). `problem` says what is wrong with it before anyone has read it, and
    `detail` more of that. `tries`: how often the server was asked until it answered.
    """

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""
    problem: Problem | None = None
    detail: str = ""
    tries: int = 1

    def after(self, tries: int) -> Reply:
        """The same, as it came at this try."""
        return replace(self, tries=tries)


class Outcome(StrEnum):
    """What became of a call."""

    ASKED = "asked"  # under way, or cut off before the answer came
    ANSWERED = "answered"
    REJECTED = "rejected"  # unusable, and asked again
    PARKED = "parked"
    FAILED = "failed"  # no answer came


@dataclass(frozen=True)
class Usage:
    """One call in the usage log. `cost` is None where no price is configured.

    `tokens_in` and `tokens_out` are what the server counted, else (`estimated`) what we did; while
    it is `asked` they are the most that it may take. The last line with an `id` counts.
    """

    id: str
    at: datetime
    user: str
    stage: str
    model: str
    prompt_hash: str
    tokens_in: int
    tokens_out: int
    latency_ms: float = 0.0
    cost: float | None = None
    currency: str = ""
    outcome: Outcome = Outcome.ASKED
    estimated: bool = False
    tries: int = 1
    reason: str = ""

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True)
class KeptReply:
    """A reply that could be used, kept so that the same is never asked twice."""

    at: datetime
    user: str
    stage: str
    model: str
    prompt_hash: str
    about: tuple[str, ...]
    reply: Reply


@dataclass(frozen=True)
class Answered:
    """A reply that matches the schema.

    `raw`: what the model wrote, word for word. `mended`: what was done to it (`thoughts`, `fence`,
    `prose`, `repaired` …). `lost`: parts that had to be left out, each with the reason; the whole
    reply is then parked too. `usage`: the calls that it took; empty when it was `kept` from before.
    """

    value: Mapping[str, Any]
    raw: str
    model: str
    prompt_hash: str
    usage: tuple[Usage, ...] = ()
    mended: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    kept: bool = False

    @property
    def tokens_in(self) -> int:
        return sum(u.tokens_in for u in self.usage)

    @property
    def tokens_out(self) -> int:
        return sum(u.tokens_out for u in self.usage)


@dataclass(frozen=True)
class Unanswered:
    """No usable reply. What was asked about is not done, and stays to be done.

    `parked`: whether the reply lies in `raw/parked/`. `stop`: to ask anything else now is futile.
    """

    problem: Problem
    reason: str
    model: str
    prompt_hash: str
    usage: tuple[Usage, ...] = ()
    parked: bool = False

    @property
    def stop(self) -> bool:
        return self.problem in (Problem.NO_ANSWER, Problem.BUDGET)


@dataclass(frozen=True)
class Price:
    """For a million tokens, in whatever currency the configuration names."""

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


@dataclass(frozen=True)
class Estimate:
    """What calls would take at most, before any is made. `kept` of them are answered already.

    `stages`: how many are to be made for each stage.
    """

    calls: int
    kept: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    currency: str
    left_today: int | None  # tokens that the budget of the day still allows; None: no budget
    stages: Mapping[str, int] = field(default_factory=dict)

    def plus(self, other: Estimate) -> Estimate:
        """Both together."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return replace(
            other,
            calls=self.calls + other.calls,
            kept=self.kept + other.kept,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost=cost,
            stages=dict(Counter(self.stages) + Counter(other.stages)),
        )


@dataclass(frozen=True)
class UsageRow:
    """The calls of one day (UTC), stage and model, in numbers. `cost` None: no price was known."""

    day: str
    stage: str
    model: str
    calls: int
    answered: int
    rejected: int
    parked: int
    failed: int
    unfinished: int
    tokens_in: int
    tokens_out: int
    latency_ms: float  # of all calls together
    cost: float | None
    currency: str


@dataclass(frozen=True)
class UsageReport:
    """`today`: tokens of this day (UTC) of all users, against `limit` (0: no limit)."""

    rows: tuple[UsageRow, ...]
    today: int
    limit: int
