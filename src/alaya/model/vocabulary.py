"""What could be done about the names of relations, and what was done."""

from __future__ import annotations

from dataclasses import dataclass

# Names that say only that two things have to do with each other.
VAGUE = frozenset(
    (
        *("RELATES_TO", "RELATED_TO", "LINKED_TO", "LINKS_TO", "CONNECTED_TO", "CONNECTS_TO"),
        *("ASSOCIATED_WITH", "HAS_TO_DO_WITH", "CONCERNS", "ABOUT", "REFERS_TO", "SEE_ALSO"),
        *("相关", "有关", "关联", "关联于", "涉及", "联系", "有关联"),
    )
)


@dataclass(frozen=True)
class Alike:
    """Two names that may mean the same: `name`, which is used `uses` times, could be `into`."""

    name: str
    into: str
    similarity: float  # 0..1, 0 is as far as two relations usually are
    uses: int


@dataclass(frozen=True)
class Vague:
    """A name that says little, with what its links give as reasons: how it could be split."""

    name: str
    uses: int
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proposals:
    """Shown, never applied by themselves.

    `aliases` are at least as near as introspect.alias_threshold, `close` are worth a look;
    `promote`: (name, uses) of frequent free relations; `clusters`: names that stand together, the
    one they lean on first. `why_no_vectors` where names could not be compared.
    """

    aliases: tuple[Alike, ...] = ()
    close: tuple[Alike, ...] = ()
    promote: tuple[tuple[str, int], ...] = ()
    vague: tuple[Vague, ...] = ()
    clusters: tuple[tuple[str, ...], ...] = ()
    why_no_vectors: str = ""

    @property
    def count(self) -> int:
        """How many there are to decide about."""
        return len(self.aliases) + len(self.promote) + len(self.vague)


@dataclass(frozen=True)
class Moved:
    """Links that were given another relation, in one change."""

    name: str
    into: str
    links: int
