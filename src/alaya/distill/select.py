"""Which sessions are worth distilling, and what makes two of them the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from alaya.model.raw import ArchivedTurn, SessionKind, SessionState, TurnMark
from alaya.model.report import Outcome


def content_hash(turns: Iterable[ArchivedTurn]) -> str:
    """SHA-256 over role and content of the active turns: what was said, not when or where."""
    total = hashlib.sha256()
    for archived in turns:
        if archived.mark is not TurnMark.ACTIVE:
            continue
        turn = archived.turn
        total.update(f"{turn.role.value}\x00{len(turn.content)}\x00".encode())
        total.update(turn.content.encode("utf-8", "replace"))
    return total.hexdigest()


def refusal(
    state: SessionState,
    *,
    min_tokens: int,
    all_kinds: bool = False,
    redistill: bool = False,
    enough_calls: Callable[[], bool] = lambda: False,
) -> Outcome | None:
    """Why a session is not to be distilled now, as far as can be told without reading it.

    None: read it. `min_tokens` is compared with the whole session, so that a long one that grew
    by one turn is still read. A short one in which tools did the work (`enough_calls`) is read too.
    """
    if state.session.kind is not SessionKind.MAIN and not all_kinds:
        return Outcome.NOT_MAIN
    if state.distilled >= state.turns and not redistill:
        return Outcome.UNCHANGED
    if state.tokens < min_tokens and not enough_calls():
        return Outcome.TOO_SHORT
    return None


def same_content(known: str | None, session: str, *, redistill: bool) -> bool:
    """Whether another session's distilled turns had the same words (`known` is its id)."""
    return known is not None and known != session and not redistill
