"""The one query builder: a Where as SQL, for every table that a read touches.

Each function returns a condition over the named alias and its bindings. What cannot pass at all
becomes `0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from alaya.errors import Unsupported
from alaya.model.passage import Where
from alaya.model.relations import CORE_NAMES
from alaya.model.scope import Scope
from alaya.model.time import format_time
from alaya.stores.sqlite import former

Condition = tuple[str, list[object]]


class Clauses:
    """Conditions that are joined by AND."""

    def __init__(self) -> None:
        self._sql: list[str] = []
        self._bindings: list[object] = []

    def add(self, sql: str, *bindings: object) -> None:
        self._sql.append(sql)
        self._bindings.extend(bindings)

    def among(self, column: str, values: Sequence[str]) -> None:
        """`column` is one of `values`, when there are any."""
        if values:
            self.add(f"{column} IN ({','.join('?' * len(values))})", *(str(v) for v in values))

    def build(self) -> Condition:
        return " AND ".join(self._sql) or "1", self._bindings


def of_scope(scope: Scope, alias: str, *, session_column: str = "session") -> Clauses:
    """The wall, and what narrows when given."""
    clauses = Clauses()
    clauses.add(f"{alias}.user=?", scope.user)
    if scope.agent is not None:
        clauses.add(f"{alias}.agent=?", scope.agent)
    if scope.session is not None:
        clauses.add(f"{alias}.{session_column}=?", scope.session)
    return clauses


def of_cards(where: Where, alias: str = "c") -> Condition:
    """Card versions that pass. At most one version of a card does."""
    clauses = of_scope(where.scope, alias)
    clauses.among(f"{alias}.kind", where.kinds)
    for tag in where.tags:
        clauses.add(
            f"EXISTS(SELECT 1 FROM card_tags g WHERE g.tag=? AND g.card={alias}.rowid)",
            tag.casefold(),
        )
    then = partial(former.column, "cards", alias=alias, at=where.believed_at)
    clauses.among(then("tier"), where.tiers)
    clauses.among(f"{alias}.origin", where.origins)
    if where.min_confidence > 0:
        clauses.add(f"{alias}.confidence>=?", where.min_confidence)
    _said(clauses, where, column=f"{alias}.said_at")
    clauses.add(former.current(alias, where.believed_at))
    if not where.include_forgotten:
        clauses.add(f"{then('forgotten_at')} IS NULL")
    if not where.include_stale:
        clauses.add(f"{then('stale')}=0")
    if not where.include_quarantined:
        clauses.add(f"{then('quarantined')}=0")
    return clauses.build()


def of_turns(where: Where, alias: str = "t") -> Condition:
    """Turns on the active branch that pass. A turn has no kind, tag, tier or confidence."""
    clauses = of_scope(where.scope, alias)
    if where.kinds or where.tags or where.tiers or where.min_confidence > 0:
        return "0", []
    clauses.among(f"{alias}.origin", where.origins)
    _said(clauses, where, column=f"{alias}.said_at")
    if where.believed_at is not None:
        clauses.add(f"{alias}.recorded_at<=?", format_time(where.believed_at))
    mark = former.column("turns", "mark", alias=alias, at=where.believed_at)
    clauses.add(f"{mark}='active'")
    return clauses.build()


def of_links(where: Where, alias: str = "l") -> Condition:
    """Edges, of `former.links`, by the world's time and owner; their ends are checked apart."""
    clauses = Clauses()
    clauses.add(f"{alias}.user=?", where.scope.user)
    if where.as_of is None and not where.include_ended:
        clauses.add(f"{alias}.retired_at IS NULL")
        return clauses.build()
    # Retiring a link may have told its end, which was not known before; its JSON keeps what was.
    ended = f"{alias}.invalid_at IS NOT json_extract({alias}.json,'$.invalid_at')"
    clauses.add(f"({alias}.retired_at IS NULL OR {ended})")
    if where.as_of is not None:
        at = format_time(where.as_of)
        clauses.add(f"{alias}.valid_at<=?", at)
        clauses.add(f"({alias}.invalid_at IS NULL OR {alias}.invalid_at>?)", at)
    return clauses.build()


def of_entities(where: Where, alias: str = "e") -> Condition:
    """Entities, of `former.entities`, are narrowed by scope."""
    clauses = of_scope(where.scope, alias)
    clauses.add(f"{alias}.merged_into IS NULL")
    clauses.add(f"{alias}.retired_at IS NULL")
    return clauses.build()


def of_summaries(where: Where, alias: str = "m") -> Condition:
    """Summaries that pass. A summary has no kind, tag, tier or confidence."""
    clauses = of_scope(where.scope, alias)
    if where.kinds or where.tags or where.tiers or where.min_confidence > 0:
        return "0", []
    clauses.among(f"{alias}.origin", where.origins)
    _said(clauses, where, column=f"{alias}.said_at")
    clauses.add(former.current(alias, where.believed_at))
    if not where.include_forgotten:
        forgotten = former.column("summaries", "forgotten_at", alias=alias, at=where.believed_at)
        clauses.add(f"{forgotten} IS NULL")
    return clauses.build()


def of_relations(scope: Scope, alias: str = "r") -> Condition:
    """Core relations, and those that this user's links have."""
    core = ",".join("?" * len(CORE_NAMES))
    return (
        f"({alias}.name IN ({core}) OR EXISTS(SELECT 1 FROM links u WHERE u.user=?"
        f" AND u.relation={alias}.name AND u.retired_at IS NULL))",
        [*sorted(CORE_NAMES), scope.user],
    )


def asks_of_entities(where: Where) -> None:
    """Raises Unsupported for what an entity does not have."""
    fields = ("kinds", "tags", "tiers", "origins", "min_confidence", "since", "until", "as_of")
    asked = [name for name in fields if getattr(where, name)]
    if asked:
        raise Unsupported(f"entities have nothing to tell by {', '.join(asked)}")


def _said(clauses: Clauses, where: Where, *, column: str) -> None:
    if where.since is not None:
        clauses.add(f"{column}>=?", format_time(where.since))
    if where.until is not None:
        clauses.add(f"{column}<?", format_time(where.until))
    if where.as_of is not None:
        clauses.add(f"{column}<=?", format_time(where.as_of))
