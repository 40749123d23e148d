"""alaya as a retriever: documents in, ids out, best first, through ingest, embed and recall.

    search = make_retriever(documents)
    search("When did Caroline go hiking?", 10)
    search("上周五见了谁？", 10, timestamp="2024年04月03日 周三 18:14")

For benchmarks that rank documents without a language model. Nothing is read out of a document
here: what it says goes in as a session document, as an application would write it.
"""

from __future__ import annotations

import io
import json
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from alaya.errors import InvalidInput
from alaya.ingest.times import read_time
from alaya.memory import Memory
from alaya.model.passage import Answer
from alaya.model.raw import SessionKind

_COLLECTION = "documents"  # the session of documents that name none
_SETTINGS: Mapping[str, Any] = {"embedding.background": False}

Document = Mapping[str, Any]  # id, text, timestamp, and where there are any: session, speaker, body


class Retriever:
    """One store: a memory of its own in a temporary folder, which goes when the store goes."""

    def __init__(
        self, documents: Sequence[Document], *, settings: Mapping[str, Any] | None = None
    ) -> None:
        self._ids = [document["id"] for document in documents]
        folder = tempfile.TemporaryDirectory(prefix="alaya-evals-")
        self.memory = Memory.open(folder.name, settings={**_SETTINGS, **(settings or {})})
        self.close = weakref.finalize(self, _close, self.memory, folder)
        self._take(documents)

    def __call__(self, query: str, k: int = 100, *, timestamp: str | None = None) -> list[Any]:
        """The ids of at most `k` documents, best first. `timestamp`: when the question is asked."""
        answer = self.recall(query, timestamp=timestamp, limit=k, min_similarity=0.0)
        return self.ids(answer)

    def recall(self, query: str, *, timestamp: str | None = None, **fields: Any) -> Answer:
        """The whole answer of `Memory.recall`; `fields` are those of Query."""
        at = read_time(timestamp)
        if at is not None:
            fields["asked_at"] = at
        return self.memory.recall(query, include_sessions=True, include_cards=False, **fields)

    def ids(self, answer: Answer) -> list[Any]:
        """The ids of the documents in an answer, as they were given."""
        return [self._ids[int(hit.id.rpartition("#")[2])] for hit in answer.hits]

    def _take(self, documents: Sequence[Document]) -> None:
        text = json.dumps(list(_sessions(documents)), ensure_ascii=False)
        data = io.BytesIO(text.encode("utf-8", "replace"))
        report = self.memory.ingest(data, format="alaya")
        if report.parked:
            raise InvalidInput(f"documents were not taken: {report.parked[0].reason}")
        if self.memory.config.embedding.provider != "none":
            self.memory.embed()


@dataclass(frozen=True)
class RetrieverFactory:
    """Makes a retriever of a store's documents; `settings` are dotted keys, as in Memory.open."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    wants_query_time: ClassVar[bool] = True  # the question's own time is passed as `timestamp`

    def __call__(self, documents: Sequence[Document]) -> Retriever:
        """A store with these documents, in the order in which they were said.

        Raises InvalidInput for what cannot be ingested, NotFound where there is no embedder and
        `embedding.provider` is not `none`.
        """
        return Retriever(documents, settings=self.settings)


make_retriever = RetrieverFactory()


def _sessions(documents: Sequence[Document]) -> Iterator[dict[str, Any]]:
    """Session documents. A turn's id is the place of its document, since ids may be anything."""
    sessions: dict[str | None, list[dict[str, Any]]] = {}
    for number, document in enumerate(documents):
        name = document.get("session")
        session = None if name is None or name == "" else str(name)
        turn = {
            "id": str(number),
            "content": document.get("body") or document["text"],
            "timestamp": document.get("timestamp"),
        }
        if document.get("speaker"):
            turn["speaker"] = document["speaker"]
        elif session is not None:
            turn["role"] = "user"  # what stands in a conversation is said by somebody
        sessions.setdefault(session, []).append(turn)
    alone = sessions.pop(None, [])
    yield from ({"id": name, "turns": turns} for name, turns in sessions.items())
    if alone:
        name = _COLLECTION
        while name in sessions:
            name += "~"
        yield {"id": name, "kind": SessionKind.DOCUMENTS.value, "turns": alone}


def _close(memory: Memory, folder: tempfile.TemporaryDirectory[str]) -> None:
    memory.close()
    folder.cleanup()
