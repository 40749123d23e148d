"""L1, vectors: float32 blobs in the database, scanned exactly through an int8 copy (sidecar.py).

Quantised scores only choose candidates; blobs decide.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alaya.errors import Denied, OutOfSpace, StoreError
from alaya.model.passage import ItemKind, Scored, Where
from alaya.ports import Vector
from alaya.stores.sqlite import counted, packing
from alaya.stores.sqlite.bounded import Bounded
from alaya.stores.sqlite.connection import Database
from alaya.stores.sqlite.cosines import Cosines, products
from alaya.stores.sqlite.items import NOTHING, Items, by_ids, items_of
from alaya.stores.sqlite.passed import Passed
from alaya.stores.sqlite.places import Listed, Places
from alaya.stores.sqlite.sidecar import Sidecar, count_slots

if TYPE_CHECKING:
    import apsw
    import numpy as np

# Slots that are scored exactly: so many times the limit, and at least. The 20 nearest by float32
# stand among the 24 nearest by int8 (250,000 real and placed vectors, 384 and 1024 dimensions).
_MARGIN, _FEWEST = 1.5, 64
_BLIND = 2_000  # nearest slots that are looked at before it is listed which ones pass
_FEW = 8  # less than this part of all slots is copied out of the file rather than passed over
_FIRST = 3  # questions of a process that are answered without listing what holds cards
_MODELS = 3  # whose files stay mapped
KEPT = 32 * 2**20  # bytes of distances and of filters' slots that stay in memory


class Vectors:
    """The vector side of one database in one process."""

    def __init__(self, db: Database, passed: Passed) -> None:
        self._db = db
        self._passed = passed
        self._mapped: dict[str, tuple[object, np.ndarray[Any, Any]]] = {}
        self._kept = Bounded(KEPT)
        self._exact = Cosines(db)
        self._places = Places(db)
        self._asked: dict[tuple[str, ItemKind], int] = {}
        self._missing: dict[str, int] = {}  # models whose copy is to be grown, and their width
        self._looked: dict[str, object] = {}

    def put(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        import numpy as np

        from alaya.stores.sqlite.scan import quantised

        with self._db.writing() as connection:
            packed = self._pack(connection, model)
            next_slot, width = count_slots(self._db, model), self._width(model)
            fresh: list[np.ndarray[Any, Any]] = []
            texts = 0
            for text_hash, windows in vectors.items():
                if not connection.execute(_LACKED, (model, text_hash)).fetchone():
                    continue
                insert = "INSERT INTO vectors(model,hash,win,slot,vector) VALUES(?,?,?,?,?)"
                if not windows:
                    connection.execute(insert, (model, text_hash, 0, None, None))
                texts += bool(windows)
                for number, window in enumerate(windows):
                    vector = _unit(window)
                    width = width or len(vector)
                    self._same_width(model, width, given=len(vector))
                    slot = next_slot + len(fresh)
                    connection.execute(insert, (model, text_hash, number, slot, vector.tobytes()))
                    fresh.append(vector)
            if fresh:
                counted.add(connection, model, number=texts)
                Sidecar(self._db, model, width=width).put(next_slot, quantised(np.stack(fresh)))
            connection.execute(
                "INSERT INTO meta VALUES('rev.vector',1)"
                " ON CONFLICT(key) DO UPDATE SET value=value+1"
            )
        if packed:
            self.drop_sidecars()

    def nearest(
        self, model: str, vector: Vector, *, kind: ItemKind, where: Where, limit: int
    ) -> list[Scored]:
        asked = Asked(model, _unit(vector), items_of(kind, where), where)
        self._asked[model, kind] = self._asked.get((model, kind), 0) + 1
        best = self._best(asked, limit, whole=False)
        if best is None:
            self._missing[model] = len(asked.query)
            if not self._db.in_snapshot:
                self.grow_missing()
            best = self._best(asked, limit, whole=True)
        ranked = sorted((best or {}).items(), key=lambda pair: (-pair[1], pair[0]))
        return [Scored(item, cosine) for item, cosine in ranked[: max(0, limit)]]

    def resident(self) -> int:
        """Bytes of memory that this keeps between two questions; the mapped file not counted."""
        return self._kept.bytes + self._places.bytes() + self._exact.bytes()

    def similarities(
        self, model: str, vector: Vector, *, kind: ItemKind, ids: Sequence[str], where: Where
    ) -> dict[str, float]:
        asked = Asked(model, _unit(vector), items_of(kind, where), where)
        with self._db.reading():
            self._same_width(model, self._width(model), given=len(asked.query))
            return self._cosines(asked, self._of(asked, ids))

    def vectors(
        self, model: str, ids: Sequence[str], *, kind: ItemKind, where: Where
    ) -> dict[str, list[Vector]]:
        import numpy as np

        of = items_of(kind, where)
        found: dict[str, list[Vector]] = {}
        for condition, bindings in by_ids(of.kind, ids):
            sql = (
                f"SELECT {of.name}, v.vector FROM {of.table} CROSS JOIN vectors v ON v.model=? AND"
                f" v.hash={of.hash} AND v.slot IS NOT NULL WHERE {condition} AND {of.condition}"
                " ORDER BY v.win"
            )
            for name, blob in self._db.rows(sql, [model, *bindings, *of.bindings]):
                vector: Vector = np.frombuffer(blob, dtype=np.float32)  # type: ignore[assignment]
                found.setdefault(name, []).append(vector)
        return found

    def models(self) -> Mapping[str, int]:
        return counted.texts(self._db)

    def check(self) -> int:
        """How many vectors stand in the database but not, or wrongly, in a sidecar."""
        wrong = 0
        for (model,) in self._db.rows("SELECT DISTINCT model FROM vectors WHERE slot IS NOT NULL"):
            with self._db.reading():
                sidecar = Sidecar(self._db, model, width=self._width(model))
                copy = sidecar.rows(count_slots(self._db, model))
                if copy is None:
                    continue  # it is grown anew when it is next read
                for slots, rows in sidecar.quantised():
                    wrong += int((copy[slots] != rows).any(axis=1).sum())
        return wrong

    def drop_sidecars(self) -> None:
        """Delete the files of lives that are over. Whoever still reads one has it open."""
        models = "SELECT DISTINCT model FROM vectors WHERE slot IS NOT NULL"
        current = {Sidecar(self._db, model, width=0).path for (model,) in self._db.rows(models)}
        for path in self._db.path.parent.glob("vectors-*.i8"):
            if path not in current:
                path.unlink(missing_ok=True)

    def grow_missing(self) -> None:
        """Write the sidecars anew that were missed, where that can be; outside of any snapshot."""
        while self._missing:
            model, width = self._missing.popitem()
            sidecar = Sidecar(self._db, model, width=width)
            try:
                with self._db.writing():
                    if sidecar.rows(count_slots(self._db, model)) is None:
                        sidecar.grow()
                self.drop_sidecars()
            except (OutOfSpace, Denied):
                pass  # it only saves time

    # --- inside ---------------------------------------------------------------------------------

    def _pack(self, connection: apsw.Connection, model: str) -> bool:
        """Close the holes of a model's copy, if there are many; looked at when some came."""
        dropped = self._db.revision("dropped")
        if self._looked.get(model) == dropped:
            return False
        packed = packing.pack(connection, model, slots=count_slots(self._db, model))
        self._looked[model] = self._db.revision("dropped")
        return packed

    def _width(self, model: str) -> int:
        """The dimensions of a model's vectors; 0 when there are none."""
        sql = "SELECT length(vector)/4 FROM vectors WHERE model=? AND slot IS NOT NULL LIMIT 1"
        row = self._db.row(sql, [model])
        return int(row[0]) if row else 0

    def _same_width(self, model: str, known: int, *, given: int) -> None:
        if known not in (0, given):
            raise StoreError(
                f"the vectors of {model} have {known} dimensions, not {given}: the model is another"
                " one than it was; give it another name, or run `alaya rebuild-l1` to embed anew"
            )

    def _best(self, asked: Asked, limit: int, *, whole: bool) -> dict[str, float] | None:
        """The nearest items that pass, at least `limit` where there are as many, by exact cosine.

        Quantised distances only give the order in which slots are looked at; what has a slot,
        whether it passes and how near it is, the database says. None where the copy is missing and
        `whole` does not allow to read all blobs.
        """
        best: dict[str, float] = {}
        wanted, seen = max(int(_MARGIN * limit), _FEWEST), 0
        with self._db.reading():
            self._same_width(asked.model, self._width(asked.model), given=len(asked.query))
            count = count_slots(self._db, asked.model)
            if not count or limit <= 0 or asked.items.condition == NOTHING:
                return best
            copy = self._copy(asked, count)
            if copy is None and not whole:
                return None
            listed = self._listed(asked, count)
            for slots in self._slots(asked, copy, listed=listed, count=count, first=wanted):
                found = self._at(asked, slots, listed=listed)
                for item, cosine in self._cosines(asked, found).items():
                    best[item] = max(best.get(item, -1.0), cosine)
                seen += len({row for _, row in found})
                if seen >= wanted and len(best) >= limit:
                    break
        return best

    def _slots(
        self, asked: Asked, copy: Any | None, *, listed: Listed | None, count: int, first: int
    ) -> Iterator[np.ndarray[Any, Any]]:
        """Slots to look at, nearest first: every one that may pass, if it is asked for long enough.

        Most filters let most items through: so the nearest of all slots are looked at first, and
        which slots pass is only listed where these were not enough.
        """
        import numpy as np

        from alaya.stores.sqlite import scan

        kind = asked.items.kind
        revision = self._db.revision("vector", kind.value)
        passing = self._kept.get(asked.key, revision)
        blind = np.empty(0, dtype=np.int32)
        if passing is None and not asked.items.narrow:
            far = self._distances(asked, copy, listed=listed, count=count)
            places = np.arange(count, dtype=np.int32)
            if listed is not None:
                places = listed.slots
                far = far[places]
            blind = places[scan.nearest_first(far, max(_BLIND, first))]
            yield from scan.portions(blind, first)
            if len(blind) == len(places):
                return
        if passing is None:
            passing = self._passing(asked)
            self._kept.keep(asked.key, revision, value=passing)
        rest = np.setdiff1d(passing, blind, assume_unique=True)
        if copy is not None and len(rest) < count // _FEW:
            far = scan.distances_at(copy, asked.query, places=rest)
        else:
            far = self._distances(asked, copy, listed=listed, count=count)[rest]
        yield from scan.portions(rest[scan.nearest_first(far, len(far))], first)

    def _listed(self, asked: Asked, count: int) -> Listed | None:
        """Which items have which vectors, where listing that pays: not for a command's question."""
        model, kind = asked.model, asked.items.kind
        if kind is ItemKind.RELATION or self._asked.get((model, kind), 0) <= _FIRST:
            return None
        return self._places.get(model, kind, count=count)

    def _distances(
        self, asked: Asked, copy: Any | None, *, listed: Listed | None, count: int
    ) -> Any:
        """How far the question is from every slot that matters.

        From all of them it is kept, since cards and turns ask the same.
        """
        import numpy as np

        from alaya.stores.sqlite import scan

        if copy is not None and listed is not None and listed.spans:
            far = np.full(count, 2, dtype=np.float32)
            for first, last in listed.spans:
                far[first:last] = scan.distances(copy[first:last], asked.query)
            return far
        key = (asked.model, asked.query.tobytes())
        revision = self._db.revision("vector")
        known = self._kept.get(key, revision)
        if known is not None:
            return known
        if copy is not None:
            far = scan.distances(copy, asked.query)
        else:
            far = np.full(count, 2, dtype=np.float32)
            sql = "SELECT slot, vector FROM vectors WHERE model=? AND slot IS NOT NULL"
            for slot, blob in self._db.connection().execute(sql, [asked.model]):
                far[slot] = 1 - products([blob], asked.query)[0]
        self._kept.keep(key, revision, value=far)
        return far

    def _copy(self, asked: Asked, count: int) -> Any | None:
        """The quantised rows of all slots, mapped from the file: pages are read when touched."""
        revision = self._db.revision("vector")
        known = self._mapped.get(asked.model)
        if known is not None and known[0] == revision:
            return known[1]
        rows = Sidecar(self._db, asked.model, width=len(asked.query)).rows(count)
        if rows is not None:
            while len(self._mapped) >= _MODELS:
                self._mapped.pop(next(iter(self._mapped)), None)
            self._mapped[asked.model] = (revision, rows)
        return rows

    def _passing(self, asked: Asked) -> np.ndarray[Any, Any]:
        """The slots of all items that pass the filter, ascending."""
        import numpy as np

        of = asked.items
        sql = (
            f"SELECT DISTINCT v.slot FROM {of.table} {of.driven} CROSS JOIN vectors v"
            f" INDEXED BY vectors_text ON v.model=? AND v.hash={of.hash}"
            f" WHERE v.slot IS NOT NULL AND {of.hash} IS NOT NULL AND {of.condition}"
        )
        found = sorted(row[0] for row in self._db.rows(sql, [asked.model, *of.bindings]))
        return np.array(found, dtype=np.int32)

    def _at(
        self, asked: Asked, slots: np.ndarray[Any, Any], *, listed: Listed | None
    ) -> list[tuple[str, int]]:
        """(item, vector's row) for the items at these slots that pass the filter."""
        of = asked.items
        if listed is not None:
            _, rows, vectors = listed.at_slots(slots).tolist()
            names = self._passed.ids(rows, kind=of.kind, where=asked.where)
            return [(names[r], v) for r, v in zip(rows, vectors, strict=True) if r in names]
        sql = (
            f"SELECT {of.name}, v.rowid FROM json_each(?) j CROSS JOIN vectors v"
            f" INDEXED BY vectors_slot ON v.model=? AND v.slot=j.value"
            f" CROSS JOIN {of.table} {of.by_text} ON {of.hash}=v.hash WHERE {of.condition}"
        )
        return self._db.rows(sql, [json.dumps(slots.tolist()), asked.model, *of.bindings])

    def _of(self, asked: Asked, ids: Sequence[str]) -> list[tuple[str, int]]:
        """(item, vector's row) for these items, as far as they pass the filter."""
        import numpy as np

        of = asked.items
        found: list[tuple[str, int]] = []
        listed = self._listed(asked, count_slots(self._db, asked.model))
        if listed is not None:
            rows = self._passed.rows(ids, kind=of.kind, where=asked.where)
            _, items, vectors = listed.of_items(np.array(list(rows), dtype=np.int32)).tolist()
            return [(rows[item], vector) for item, vector in zip(items, vectors, strict=True)]
        for condition, bindings in by_ids(of.kind, ids):
            sql = (
                f"SELECT {of.name}, v.rowid FROM {of.table} CROSS JOIN vectors v ON v.model=? AND"
                f" v.hash={of.hash} AND v.slot IS NOT NULL WHERE {condition} AND {of.condition}"
            )
            found += self._db.rows(sql, [asked.model, *bindings, *of.bindings])
        return found

    def _cosines(self, asked: Asked, found: Sequence[tuple[str, int]]) -> dict[str, float]:
        """The exact cosine of each of these (item, vector's row); an item's best vector counts."""
        known = self._exact.get(asked.model, asked.query, rows=[row for _, row in found])
        best: dict[str, float] = {}
        for item, row in found:
            best[item] = max(best.get(item, -1.0), known[row])
        return best


@dataclass(frozen=True)
class Asked:
    """A question: its unit vector, and which items may answer."""

    model: str
    query: np.ndarray[Any, Any]
    items: Items
    where: Where

    @property
    def key(self) -> tuple[object, ...]:
        return self.model, self.items.kind, self.where


# A text without a vector of this model that something has; a COLD card is to have none.
_LACKED = """SELECT 1 WHERE NOT EXISTS(SELECT 1 FROM vectors WHERE model=?1 AND hash=?2)
  AND (EXISTS(SELECT 1 FROM cards WHERE text_hash=?2 AND tier<>'COLD') OR EXISTS(SELECT 1 FROM turns
  WHERE text_hash=?2) OR EXISTS(SELECT 1 FROM summaries WHERE text_hash=?2)
  OR EXISTS(SELECT 1 FROM relations WHERE text_hash=?2))"""


def _unit(vector: Vector) -> np.ndarray[Any, Any]:
    """A vector of length 1 in the direction of this one; one that is so already stays as it is."""
    import numpy as np

    found = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(found))
    if not np.isfinite(length):
        raise StoreError("a vector holds numbers that are not finite")
    return found if length == 0 or abs(length - 1) < 1e-4 else found / np.float32(length)
