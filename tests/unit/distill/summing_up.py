"""Two topics in two languages, and a home in which they are said, distilled and summed up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from alaya.distill.rules import RuleDistiller
from alaya.distill.run import Rules, distill
from alaya.distill.summarize import summarize
from alaya.distill.summarize_rules import Summing
from alaya.model import change as ch
from alaya.model.graph import Summary
from alaya.model.passage import Where
from alaya.model.report import SummariesReport
from alaya.model.scope import Scope
from alaya.projection import commit

USER = Scope("default")
PORT = {
    "en": [
        ("u", "The gateway fails at start: port 8443 is refused by the proxy."),
        ("a", "The error was caused by a stale lock in gateway.yaml; the port stays reserved."),
        ("u", "Deleting the lock in gateway.yaml fixed it, the gateway starts on port 8443 now."),
        ("a", "Good. The gateway keeps port 8443 and the lock is gone from gateway.yaml."),
    ],
    "zh": [
        ("u", "网关启动失败：端口 8443 被代理拒绝。"),
        ("a", "原因是 gateway.yaml 里有一个过期的锁，端口一直被占用。"),
        ("u", "删掉 gateway.yaml 里的锁之后修好了，网关现在能在端口 8443 启动。"),
        ("a", "好的，网关继续使用端口 8443，过期的锁已经从 gateway.yaml 删除。"),
    ],
}
TRIP = {
    "en": [
        ("u", "We decided to take the night train to Vienna in May, my sister Anna lives there."),
        ("a", "Night train to Vienna in May, with a visit to Anna: I will keep that in mind."),
        ("u", "I am allergic to peanuts, so the dining car of the night train is no option."),
        ("a", "Noted: no peanuts on the night train to Vienna, pack your own food."),
    ],
    "zh": [
        ("u", "我们决定五月坐夜班火车去维也纳，我姐姐安娜住在那里。"),
        ("a", "五月坐夜班火车去维也纳看安娜，记住了。"),
        ("u", "我对花生过敏，所以夜班火车的餐车不能考虑。"),
        ("a", "记下了：维也纳夜班火车上不能有花生，自己带吃的。"),
    ],
}


class Told:
    """A home in which sessions are said, distilled and summed up; its clock stands just behind
    the first session."""

    def __init__(self, home, say, session) -> None:
        self.home, self._say, self._session = home, say, session
        self.now = session().started_at + timedelta(minutes=30)

    def says(self, name: str, *said: tuple[str, str], **fields: object) -> None:
        """More turns of a session, which are distilled."""
        session = self._session(name)
        state = self.home.index.session(USER, name)
        turns = self._say(*said, first=state.turns if state else 0)
        turns = [replace(t, turn=replace(t.turn, **fields)) for t in turns]
        self.home.tell(session, turns)
        distill(
            self.home.archive,
            self.home.index,
            scope=USER,
            rules=Rules(RuleDistiller(), min_tokens=0),
            clock=lambda: self.now,
        )

    def sums(self, session: str | None = None, **rules: object) -> SummariesReport:
        """Sum up, right after the last turn unless the clock was moved."""
        return summarize(
            self.home.archive,
            self.home.index,
            scope=USER,
            session=session,
            rules=Summing(**rules),
            clock=lambda: self.now,
        )

    def kept(self, level: str = "topic") -> list[Summary]:
        found = self.home.index.summaries(Where(USER))
        return [s for s in found if s.metadata["level"] == level]

    def tell(self, *changes: ch.Change) -> None:
        commit(
            self.home.archive,
            self.home.index,
            decide=lambda: changes,
            actor="test",
            verb="test",
            clock=lambda: self.now,
        )
