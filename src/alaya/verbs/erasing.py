"""The verb that removes words for good: erase; and a search for words that should be gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from alaya.errors import InvalidInput
from alaya.model.erasure import EraseReport, FoundWords, Planned, Target
from alaya.parts import Opened

KINDS = ("card", "session", "entity", "query", "everything")


def erase(
    memory: Opened,
    *,
    reason: str = "",
    dry_run: bool = False,
    agreed: Callable[[Planned], bool] | None = None,
    **what: Any,
) -> EraseReport | None:
    """Remove words from every place where the home keeps them, for good.

    `what` is one of: a `card` (with the words that it cites), a `session`, an `entity` (id or name:
    what was said of it, and its names wherever they stand), a `query` (every turn and card that
    holds all of its words), or `everything=True`: all of this memory's user. What rests on erased
    words alone goes with them; what has other evidence loses only those words, and is stale.

    `agreed` is shown what goes, and nothing happens where it says no (then None is returned);
    without it, nothing is asked. `dry_run` only tells. The report is kept as a receipt, without the
    words; `remaining` names the places where they still stand. Raises InvalidInput, NotFound, Busy.
    """
    from alaya.erasing import run  # only here: it is done once in a long while

    memory.parts.follow()
    report = run.erase(
        memory.parts.erasing(),
        scope=memory.scope,
        target=_target(what),
        reason=reason,
        dry_run=dry_run,
        agreed=agreed or (lambda planned: True),
    )
    if report is not None and not dry_run:
        memory.parts.embed_later()
    return report


def _target(what: Mapping[str, Any]) -> Target:
    given = {name: value for name, value in what.items() if value not in (None, False)}
    for name, value in given.items():
        if name not in KINDS:
            raise InvalidInput(f"{name} cannot be erased; give one of {', '.join(KINDS)}")
        if not isinstance(value, bool if name == "everything" else str):
            raise InvalidInput(f"{name} is not {value!r}")
    return Target(**given)


def find_words(memory: Opened, *texts: str) -> FoundWords:
    """Which files of the home hold all the words of any of these texts, compressed ones included.

    An erasure does this by itself; this is for later, and for what came back from elsewhere. Raises
    InvalidInput for a text without words.
    """
    from alaya.model.erased_words import whole_words

    wanted = [words for text in texts if (words := whole_words(text))]
    if not wanted:
        raise InvalidInput("nothing to look for: give words")
    every, seen = set().union(*wanted), set[str]()

    def has(word: str) -> bool:
        if word in every:
            seen.add(word)
        return any(words <= seen for words in wanted)

    files, places = 0, []
    for name, stands in memory.parts.eraser.search(has):
        files += 1
        places += [name] if stands else []
        seen.clear()
    return FoundWords(len(every), files, tuple(places))
