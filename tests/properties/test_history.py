"""A random life of a memory: the default store, the oracle, and a replay agree at every step."""

from __future__ import annotations

import shutil
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from alaya.model import change as ch
from alaya.model.passage import Where
from alaya.model.record import Position, RecallLog
from alaya.projection import catch_up, commit
from alaya.stores.files.archive import FileArchive
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.invented import ALICE, START, everything
from alaya.testing.oracle import OracleIndex

from . import histories as h


class Life(RuleBasedStateMachine):
    """Changes go through the journal to both followers; vectors go to both by hash."""

    @initialize()
    def begin(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="alaya-life-"))
        self.archive = FileArchive(self.home)
        self.archive.create()
        self.index = self.opened()
        self.oracle = OracleIndex()
        self.now = START
        self.counted = self.step = 0

    def opened(self, name: str = "alaya.db") -> SqliteIndex:
        return SqliteIndex(self.home / name, stem=lambda word: word, read_turn=self.archive.turn)

    def teardown(self) -> None:
        if not hasattr(self, "home"):
            return
        assert list(self.archive.verify()) == []
        # A random link may lead to a card that never was; nothing else may be wrong.
        wrong = {d.what for d in self.index.check()}
        assert wrong <= {"link leads to a card that is not there"}
        h.same_answers(self.index, self.oracle, self.now - timedelta(days=5))
        replayed = self.opened("replayed.db")
        catch_up(self.archive, replayed)
        assert sorted(replayed.fingerprint()) == sorted(self.index.fingerprint())
        replayed.close()
        self.index.close()
        shutil.rmtree(self.home)

    def commit(self, decide) -> None:
        end = commit(
            self.archive, self.index, decide=decide, actor="", verb="v", clock=lambda: self.now
        )
        assert catch_up(self.archive, self.oracle) == end

    @rule(change=h.changes)
    def changed(self, change) -> None:
        """One change, whatever is there."""
        self.commit(lambda: [change])

    @rule(several=st.lists(h.changes, min_size=2, max_size=4))
    def changed_together(self, several) -> None:
        """Several changes in one record."""
        self.commit(lambda: several)

    @rule(
        scope=st.sampled_from(h.SCOPES),
        said=st.lists(h.turns, min_size=1, max_size=3),
        generation=st.integers(0, 2),
    )
    def said(self, scope, said, generation) -> None:
        """A session grows, or is written anew."""
        self.commit(lambda: h.grow(self.index, scope, said, generation))

    @rule(card=h.cards)
    def distilled(self, card) -> None:
        """A card that cites what was said."""
        self.commit(lambda: [ch.CardAdded(h.evidence(self.index, card.scope, card))])

    @rule(data=st.data(), end=st.none() | h.days)
    def link_retired(self, data, end) -> None:
        """A link that is there is retired: it was wrong, or the world changed."""
        found = sorted(link.id for link in self.index.all_links(everything()))
        if found:
            name = data.draw(st.sampled_from(found))
            self.commit(lambda: [ch.FactRetired(ALICE, name, "wrong", end)])

    @rule(days=st.sampled_from([1, 7, 40, -2]))
    def time_passes(self, days) -> None:
        """The clock moves, and not always forward."""
        self.now += timedelta(days=days)

    @rule(limit=st.integers(1, 30), empty=st.booleans())
    def embedded(self, limit, empty) -> None:
        """Some of the backlog gets vectors, or is found to give none."""
        found = self.index.pending(h.MODEL, limit)
        vectors = {p.text_hash: [] if empty else [h.direction(p.text)] for p in found}
        for follower in (self.index, self.oracle):
            follower.put(h.MODEL, vectors)

    @rule(names=h.card_ids, score=st.sampled_from([0.5, 1.0, None]))
    def recalled(self, names, score) -> None:
        """Accesses are counted."""
        log = RecallLog(
            self.now, "alice", {}, tuple((n, score) for n in names), {}, 1.0, (), False, False
        )
        self.counted += 1
        for follower in (self.index, self.oracle):
            start = follower.recalls_counted()
            end = Position(file="2026-03.jsonl", offset=self.counted)
            assert follower.count_recalls(start, end, recalls=[log])

    @rule()
    def words_anew(self) -> None:
        """L1 is dropped and grown."""
        for follower in (self.index, self.oracle):
            follower.reset_l1()

    @rule()
    def rebuilt(self) -> None:
        """Both are emptied and grown back in place."""
        for follower in (self.index, self.oracle):
            with follower.reset():
                catch_up(self.archive, follower)
            assert follower.recalls_counted() == Position()

    @rule()
    def reopened(self) -> None:
        """The process ends and another one begins."""
        self.index.close()
        self.archive = FileArchive(self.home)
        self.index = self.opened()

    @rule(beside=st.booleans())
    def lost(self, beside) -> None:
        """The database is deleted, while this process has it open or not, and grows back."""
        if not beside:
            self.index.close()
            self.index = self.opened()
        for path in self.home.glob("alaya.db*"):
            path.unlink()
        catch_up(self.archive, self.index)
        self.oracle = OracleIndex()
        catch_up(self.archive, self.oracle)

    @invariant()
    def agreed(self) -> None:
        """Both answer alike, and stand at the same record."""
        if hasattr(self, "home"):
            assert self.index.position() == self.oracle.position()
            self.step += 1
            past = self.now - timedelta(days=5)
            h.same_answers(self.index, self.oracle, past, self.step, 4)
            assert list(self.index.find_cards(Where())) == []


TestLife = Life.TestCase
TestLife.pytestmark = [pytest.mark.timeout(3600)]
if settings.get_current_profile_name() == "ci":
    TestLife.settings = settings(max_examples=25, stateful_step_count=15)
else:
    TestLife.settings = settings(max_examples=300, stateful_step_count=40)
