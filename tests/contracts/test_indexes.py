"""Every index against the contract."""

from __future__ import annotations

import pytest

from alaya.stores.sqlite import vectors
from alaya.testing.graph_contract import GraphContract, ScopeContract
from alaya.testing.index_contract import CardContract, StoreContract
from alaya.testing.vectors_contract import VectorsContract
from alaya.testing.words_contract import WordsContract


class TestStore(StoreContract):
    pass


class TestCards(CardContract):
    pass


class TestScope(ScopeContract):
    pass


class TestGraph(GraphContract):
    pass


class TestWords(WordsContract):
    pass


class TestVectors(VectorsContract):
    pass


class TestVectorsByUsearch(VectorsContract):
    """The kernel for large stores, on small ones."""

    @pytest.fixture(autouse=True)
    def _from_the_first_row(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vectors, "_USEARCH_FROM", 1)
