"""Erasing: no byte of the words is left, and nothing else is another than it was."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from alaya.erasing import run
from alaya.model.erasure import Target
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.projection import catch_up
from alaya.providers.cache import VectorCache
from alaya.stores.files.archive import FileArchive
from alaya.stores.files.erasing import FileEraser
from alaya.stores.sqlite.index import SqliteIndex
from alaya.testing.invented import ALICE, BOB, START, everything

from . import histories as h
from . import remembered as r


def opened(archive: FileArchive) -> SqliteIndex:
    return SqliteIndex(archive.home / "alaya.db", stem=lambda word: word, read_turn=archive.turn)


def home_of(archive: FileArchive, index: SqliteIndex, cache: VectorCache) -> run.Home:
    return run.Home(
        archive,
        index,
        FileEraser(archive.home),
        forget=cache.forget,
        renew_backups=lambda: 0,
        quiet=nullcontext,
        shipped=lambda: (),
        clock=lambda: START,
    )


def embedded(index: SqliteIndex, cache: VectorCache) -> None:
    found = {p.text_hash: [h.direction(p.text)] for p in index.pending(h.MODEL, 10_000)}
    index.put(h.MODEL, found)
    cache.put_many(h.MODEL, found)


def standing(folder: Path, word: str) -> list[str]:
    """The files in which a word stands, looked for without anything of alaya's."""
    plain = word.strip().strip('"')
    forms = {plain, plain.casefold(), plain.encode("ascii", "backslashreplace").decode()}
    short = len(plain) < 5 and plain.isascii()
    found = []
    for path in folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        if short:
            text = "" if b"\0" in data else data.decode("utf-8", "replace")
            if any(re.search(rf"(?<![\w-]){form}(?![\w-])", text) for form in forms):
                found.append(path.name)
        elif any(form.encode() in data for form in forms):
            found.append(path.name)
    return found


def seen(archive: FileArchive, index: SqliteIndex) -> dict[str, object]:
    """Everything that a home answers, by name."""
    found: dict[str, object] = {}
    for scope in (ALICE, BOB):
        for card, state in index.find_cards(everything(scope)):
            found[f"{scope.user} {card.id}"] = (card, state)
        for state in index.sessions(scope):
            for place in index.turns(Scope(scope.user), state.session.id):
                turn = archive.turn(
                    state.session, place.generation, offset=place.offset, length=place.length
                )
                found[f"{scope.user} {state.session.id}#{place.id}"] = (turn, place)
        for entity in index.entities(Where(scope)):
            found[f"{scope.user} {entity.id}"] = entity
        for link in index.all_links(everything(scope)):
            found[f"{scope.user} {link.id}"] = link
    return found


# A failing home takes minutes to shrink; it is small as it is.
@settings(phases=set(settings().phases) - {Phase.shrink})
@given(r.talks, r.told, r.joined, r.called, st.integers(0, 99))
def test_erased(tmp_path_factory, said, cards, links, named, which) -> None:
    """No byte of an erased word is left in the home or the cache; all else stays as it was.

    The journal still verifies, and what is grown anew from it is what was grown on.
    """
    archive = FileArchive(tmp_path_factory.mktemp("erase") / "home")
    archive.create()
    index, other = opened(archive), opened(archive)
    cache = VectorCache(archive.home.parent / "cache")
    made = r.write(archive, index, said=said, cards=cards, links=links, named=named)
    embedded(index, cache)
    catch_up(archive, other)
    before = seen(archive, index)
    choices = [*made.cites, *{name for name, *_ in made.sentences}, "everything"]
    target = sorted(choices)[which % len(choices)]
    gone, lost, unknown = r.expected(made, target)
    report = run.erase(home_of(archive, index, cache), scope=ALICE, target=_target(target))
    assert report is not None
    assert report.remaining == ()
    words = [r.own(n) for n in gone]
    for card in lost:
        number = int(card[5:])
        words += [r.own(number, kind) for kind in ("card", "title", "tag", "again")]
    words += [r.own(int(name[7:]), "name") for name in unknown]
    for word in words:
        assert standing(archive.home.parent, word) == [], (target, word)
    assert list(archive.verify()) == []
    _unchanged(made, before, seen(archive, index), gone=gone, lost=lost, unknown=unknown)
    catch_up(archive, other)
    assert sorted(other.fingerprint()) == sorted(index.fingerprint())
    with index.reset():
        catch_up(archive, index)
    assert sorted(other.fingerprint()) == sorted(index.fingerprint())
    assert list(index.check()) == []
    cache.close()
    index.close()
    other.close()


def _target(name: str) -> Target:
    if name == "everything":
        return Target(everything=True)
    return Target(card=name) if name.startswith("card-") else Target(session=name)


def _unchanged(made: r.Written, before, after, *, gone, lost, unknown) -> None:
    touched = {f"alice {made.sentences[n][0]}#{made.sentences[n][1]}" for n in gone}
    cut = {
        f"alice {name}"
        for name, numbers in made.cites.items()
        if gone & set(numbers) or lost & set(made.sources[name])
    }
    for name, value in before.items():
        user, _, short = name.partition(" ")
        if user == "alice" and (short in lost | unknown or _of(short, gone, made)):
            continue
        if (
            name in touched
            or name in cut
            or (short.startswith("entity-") and gone & set(made.entities[short]))
        ):
            assert name in after, name
        elif short.startswith("link-"):
            assert (name in after) == (not lost & {value.source, value.target})
        else:
            assert after.get(name) == value, name
    for name in cut:
        if name[6:] not in lost:
            card, state = after[name]
            assert state.stale
            assert r.own(int(name[11:]), "card") in card.content


def _of(short: str, gone, made: r.Written) -> bool:
    """Whether a turn is gone with the whole of its session."""
    name, mark, _ = short.partition("#")
    whole = {n for n, (s, *_) in enumerate(made.sentences) if s == name}
    return bool(mark) and bool(whole) and whole <= gone
