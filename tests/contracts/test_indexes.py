"""Every index against the contract."""

from __future__ import annotations

import sys

import pytest

from alaya.stores.sqlite import vectors
from alaya.testing.edges_contract import EdgesContract
from alaya.testing.erasing_contract import ErasingContract
from alaya.testing.events_contract import EventsContract
from alaya.testing.graph_contract import GraphContract, ScopeContract
from alaya.testing.index_contract import CardContract, StoreContract
from alaya.testing.items_contract import ItemsContract
from alaya.testing.past_contract import PastContract
from alaya.testing.summaries_contract import SummariesContract
from alaya.testing.tiers_contract import TiersContract
from alaya.testing.vectors_contract import VectorsContract
from alaya.testing.words_contract import WordsContract


class TestStore(StoreContract):
    pass


class TestCards(CardContract):
    pass


class TestScope(ScopeContract):
    pass


class TestErasing(ErasingContract):
    pass


class TestGraph(GraphContract):
    pass


class TestEdges(EdgesContract):
    pass


class TestEvents(EventsContract):
    pass


class TestWords(WordsContract):
    pass


class TestItems(ItemsContract):
    pass


class TestPast(PastContract):
    pass


class TestSummaries(SummariesContract):
    pass


class TestTiers(TiersContract):
    pass


class TestSummariesByKind(SummariesContract):
    """Which slots hold summaries is listed at the first question."""

    @pytest.fixture(autouse=True)
    def _at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vectors, "_FIRST", 0)


class TestVectors(VectorsContract):
    pass


class TestVectorsByNumpy(VectorsContract):
    """Where the kernel has no wheel."""

    @pytest.fixture(autouse=True)
    def _without_the_kernel(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "numkong", None)


class TestVectorsByKind(VectorsContract):
    """Which slots hold cards is listed at the first question, and nothing else is kept."""

    @pytest.fixture(autouse=True)
    def _at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vectors, "_FIRST", 0)
        monkeypatch.setattr(vectors, "KEPT", 0)


class TestVectorsByFilter(VectorsContract):
    """Which slots pass is listed at once, and nothing is kept: what large stores do, on small."""

    @pytest.fixture(autouse=True)
    def _hardly_any_blind(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vectors, "_FIRST", 0)
        monkeypatch.setattr(vectors, "_BLIND", 1)
        monkeypatch.setattr(vectors, "_FEWEST", 1)
        monkeypatch.setattr(vectors, "_MARGIN", 1)
        monkeypatch.setattr(vectors, "_FEW", 1)
        monkeypatch.setattr(vectors, "KEPT", 0)
