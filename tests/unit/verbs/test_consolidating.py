"""Cards that say the same become one, alike ones are linked, contradicting ones stay apart."""

from __future__ import annotations

import pytest

from alaya.introspect.consolidate import consolidate_cards
from alaya.model import change as ch
from alaya.model.graph import CardKind
from alaya.model.scope import Scope
from alaya.testing.embedder import HashingEmbedder
from alaya.testing.invented import BOB, card, day, link, span
from alaya.testing.scripted_llm import ScriptedLLM

LONG = "the nightly backup of the billing database is written to the second disk of the old server"
SAME = "the nightly backup of the billing database is written to the second disk of that old server"


def consolidate(home, *, dry_run: bool = False):
    if home.memory.parts.embedder is not None:
        home.embed()
    return consolidate_cards(home.memory, dry_run=dry_run, progress=None)


@pytest.fixture
def home(minding):
    """With an embedder that knows spelling; alike from .6 on, the same from .9."""
    made = minding(introspect__consolidate_threshold=0.9, introspect__similar_threshold=0.6)
    made.using(embedder=HashingEmbedder())
    return made


def test_identical_cards_become_one_with_all_that_both_had(home) -> None:
    """Evidence and links move, pinned stays pinned, what was derived follows; once is enough."""
    home.add(
        card("a", "备份", content="每晚备份", said_at=day(0), evidence=(span("s", "1"),)),
        card("b", "备份", content="每晚备份。", said_at=day(1), evidence=(span("t", "2"),)),
        card("c", "盘", content="第二块盘"),
        card("d", "推论", content="盘会满", derived_from=("card-b", "card-c")),
        link("c", "DEPENDS_ON", target="b"),
    )
    home.memory.pin("card-b")
    before = home.records()
    found = consolidate(home, dry_run=True)
    assert (found.counts["merged"], home.records()) == (1, before)
    assert consolidate(home).counts["merged"] == 1
    assert home.seen() == {"b", "c", "d"}  # the pinned one is kept
    kept = home.card("b")
    assert {s.session for s in kept.evidence} == {"s", "t"}
    assert kept.said_at == day(0)
    assert home.links() == {("c", "DEPENDS_ON", "b")}
    after = home.records()
    again = consolidate(home)
    assert (again.counts["merged"], again.counts["compared"], home.records()) == (0, 0, after)


def test_links_of_what_was_taken_in_move_and_derived_cards_follow(home) -> None:
    """The younger goes: whoever linked to it, or was derived from it, names the other."""
    home.add(
        card("a", "备份", content="每晚备份"),
        card("b", "备份", content="每晚备份", said_at=day(1)),
        card("c", "盘", content="第二块盘"),
        card("d", "推论", content="盘会满", derived_from=("card-b",)),
        link("c", "DEPENDS_ON", target="b"),
        link("b", "CAUSES", target="a"),
    )
    home.memory.pin("card-b")
    home.memory.unpin("card-b")
    consolidate(home)
    assert home.seen() == {"a", "c", "d"}
    assert home.links() == {("c", "DEPENDS_ON", "a")}  # and none from a to itself
    assert home.card("d").derived_from == ("card-a",)


def test_a_pin_is_not_lost_with_the_card_that_had_it(home) -> None:
    """Contained in another: the other is kept, and pinned then."""
    home.add(card("a", "Backup", content=LONG), card("b", "Backup", content=LONG + " since May"))
    home.memory.pin("card-a")
    assert consolidate(home).counts["merged"] == 1
    assert home.seen() == {"b"}
    home.at(900)
    from alaya.introspect.forgetting import forget

    assert forget(home.memory, dry_run=True, progress=None).counts["forgotten"] == 0


def test_without_a_model_only_words_that_stand_in_the_other_merge(home) -> None:
    """Other words of nearly the same sound stay two, and are linked once."""
    home.add(card("a", "Backup", content=LONG), card("b", "Backup", content=SAME))
    found = consolidate(home)
    assert (found.counts["merged"], found.counts["linked"]) == (0, 1)
    assert home.links() == {("a", "SIMILAR_TO", "b")}
    assert consolidate(home).counts["linked"] == 0


def test_a_model_judges_what_is_alike_enough_and_is_asked_once(home) -> None:
    """A no is remembered; a yes merges into the card it names; nothing is asked twice."""
    llm = ScriptedLLM(
        consolidate=lambda call: {"same": "billing" in call.user, "keep": 2},
    )
    home.using(llm=llm)
    home.add(
        card("a", "Backup", content=LONG),
        card("b", "Backup", content=SAME),
        card("c", "Deploy", content=LONG.replace("billing", "orders")),
        card("d", "Deploy", content=SAME.replace("billing", "orders")),
    )
    found = consolidate(home)
    assert found.counts["merged"] == 1
    assert home.seen() == {"b", "c", "d"}
    asked = len(llm.calls)
    assert asked == found.counts["asked"]
    assert consolidate(home).counts["asked"] == 0
    home.tell(ch.CardRevised(card("c", "Deploy", content=home.card("c").content, version=2)))
    assert consolidate(home).counts["asked"] == 0
    assert len(llm.calls) == asked


def test_what_was_not_answered_is_asked_the_next_time(home) -> None:
    """The model fails: nothing is merged but what words allow, and the pair waits."""
    home.using(llm=ScriptedLLM())
    home.add(card("a", "Backup", content=LONG), card("b", "Backup", content=SAME))
    found = consolidate(home)
    assert found.counts["merged"] == 0
    assert found.left
    home.using(llm=ScriptedLLM(consolidate=[{"same": True, "keep": 1}]))
    assert consolidate(home).counts["merged"] == 1
    assert consolidate(home).left == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG + " 1", LONG + " 2"),
        (LONG, LONG.replace("is written", "is not written")),
        (
            "每晚都要把账单库备份到旧服务器",
            "每晚都不要把账单库备份到旧服务器",
        ),
    ],
)
def test_contradictions_are_never_merged(home, one, other) -> None:
    """Whatever a model says of them, it is not asked; nor are they called alike."""
    llm = ScriptedLLM(consolidate=lambda call: {"same": True, "keep": 1})
    home.using(llm=llm)
    home.add(card("a", "Backup", content=one), card("b", "Backup", content=other))
    found = consolidate(home)
    assert (found.counts["merged"], found.counts["linked"], llm.calls) == (0, 0, [])
    assert found.counts["contradicting"] == 1
    assert home.seen() == {"a", "b"}


def test_a_link_that_says_they_contradict_keeps_them_apart(home) -> None:
    """Even with the very same words."""
    home.add(
        card("a", "x", content=LONG),
        card("b", "x", content=LONG),
        link("a", "CONTRADICTS", target="b"),
    )
    assert consolidate(home).counts["merged"] == 0
    assert home.links() == {("a", "CONTRADICTS", "b")}


def test_what_differs_in_kind_agent_user_or_trust_of_its_source(home) -> None:
    """Cards of other kinds, agents and users are not one, nor is one whose source was corrected."""
    home.add(
        card("a", "x", content=LONG),
        card("b", "x", content=LONG, kind=CardKind.GOTCHA),
        card("c", "x", content=LONG, scope=Scope("alice", "coder")),
        card("d", "x", content=LONG, scope=BOB),
        card("e", "y", content="another"),
    )
    home.tell(
        ch.CardAdded(card("f", "y", content="another")),
        ch.MarkedStale(Scope("alice"), ("card-f",), stale=True),
    )
    assert consolidate(home).counts["merged"] == 0
    assert len(home.seen()) == 5


def test_ten_of_one_become_one(home) -> None:
    """However many repeat it, in one run."""
    home.add(*(card(f"{n}", "x", content=LONG, said_at=day(n)) for n in range(10)))
    found = consolidate(home)
    assert found.counts["merged"] == 9
    assert found.told[0].values == {"pairs": 9, "cards": 1}
    assert home.seen() == {"0"}
    assert consolidate(home).counts["compared"] == 0


def test_a_merge_that_was_undone_is_not_done_again(home) -> None:
    """Somebody parted them: introspection leaves it so, also two that a third had taken in, and
    also when its own memory of it is lost."""
    home.add(*(card(n, "x", content=LONG, said_at=day(i)) for i, n in enumerate("abc")))
    consolidate(home)
    assert home.seen() == {"a"}
    home.tell(
        ch.CardRevised(card("a", "x", content=LONG, version=3)),
        ch.CardRevised(card("b", "x", content=LONG, said_at=day(1), version=2)),
        ch.CardRevised(card("c", "x", content=LONG, said_at=day(2), version=2)),
        ch.Undone(home.records()),
    )
    assert home.seen() == {"a", "b", "c"}
    assert consolidate(home).counts["merged"] == 0
    home.memory.parts.archive.set_state("introspect/alice", None)
    assert consolidate(home).counts["merged"] == 0


def test_a_link_that_was_taken_away_is_not_made_again(home) -> None:
    """Retired is remembered, also when its own memory of it is lost."""
    home.add(card("a", "Backup", content=LONG), card("b", "Backup", content=SAME))
    consolidate(home)
    [made] = home.memory.parts.index.all_links(home.where())
    home.tell(ch.LinkRetired(Scope("alice"), made.id))
    home.memory.parts.archive.set_state("introspect/alice", None)
    assert consolidate(home).counts["linked"] == 0
    assert home.links() == set()


def test_what_has_no_vector_yet_is_compared_by_words_and_again_later(home) -> None:
    """Words alone merge what is the same; the rest waits for its vectors."""
    home.add(
        card("a", "x", content=LONG),
        card("b", "x", content=LONG),
        card("c", "x", content=SAME),
    )
    found = consolidate_cards(home.memory, dry_run=False, progress=None)
    assert (found.counts["merged"], found.counts["linked"]) == (1, 0)
    assert consolidate(home).counts["linked"] == 1


def test_without_an_embedder(minding) -> None:
    """Words alone find and merge what is the same."""
    home = minding()
    home.add(card("a", "x", content=LONG), card("b", "x", content=LONG), card("c"))
    assert consolidate(home).counts["merged"] == 1
    assert consolidate(home).counts["compared"] == 0


def test_no_links_where_they_are_not_wanted(minding) -> None:
    """introspect.link_similar."""
    home = minding(introspect__link_similar=False, introspect__similar_threshold=0.6)
    home.using(embedder=HashingEmbedder())
    home.add(card("a", "Backup", content=LONG), card("b", "Backup", content=SAME))
    assert consolidate(home).counts["linked"] == 0


def test_all_that_an_undo_needs_is_kept(home) -> None:
    """What the memory held before a merge can still be read as of then: cards, words and links."""
    home.add(
        card("a", "x", content=LONG),
        card("b", "x", content=LONG, said_at=day(1), tags=("t",)),
        card("c"),
        link("c", "DEPENDS_ON", target="b"),
        link("a", "CAUSES", target="c"),
    )
    before = home.now
    cards = {name: home.card(name) for name in "abc"}
    links = home.links()
    home.at(2)
    consolidate(home)
    assert home.seen() == {"a", "c"}
    assert {name: home.card(name, believed_at=before) for name in "abc"} == cards
    assert home.links(believed_at=before) == links


def test_it_grows_back(home) -> None:
    """A rebuild replays merges and links without comparing anything."""
    home.add(
        card("a", "Backup", content=LONG),
        card("b", "Backup", content=LONG),
        card("c", "Backup", content=SAME),
    )
    consolidate(home)
    before = home.fingerprint()
    home.memory.rebuild()
    home.embed()
    assert home.fingerprint() == before
    assert consolidate(home).counts["compared"] == 0


def test_it_can_be_stopped_anywhere_and_goes_on(home) -> None:
    """What was compared and committed stays; the next run does the rest, and no more."""
    home.add(
        *(card(f"{n:03}", f"x{n // 2}", content=f"{LONG} {n // 2}") for n in range(140)),
    )
    home.embed()

    def stop(what: str, done: int, *, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        consolidate_cards(home.memory, dry_run=False, progress=stop)
    assert 70 < len(home.seen()) < 140
    found = consolidate(home)
    assert found.counts["compared"] == 140 - 64 + 70  # the rest, and what was kept, once more
    assert len(home.seen()) == 70
    assert consolidate(home).counts["compared"] == 0


def test_sessions_and_themes_roll_up_in_the_step(minding) -> None:
    """What is due of summaries is made by consolidating, once."""
    from alaya.verbs.consolidating import consolidate as step

    home = minding(distill__min_session_tokens=0)
    for name, port in (("s1", 5433), ("s2", 6543)):
        talk = [
            {"role": "user", "content": f"The staging database moved to port {port} last night"},
            {"role": "assistant", "content": f"Then the staging database port is {port}"},
        ]
        home.memory.add(talk, session=name, distill=False)
    from alaya.parts import How
    from alaya.verbs import keeping

    keeping.distill(home.memory.parts, home.memory.scope, session=None, how=How(short=True))
    home.at(400)
    found = step(home.memory, dry_run=False, progress=None)
    assert found.counts["summaries"] >= 2
    assert step(home.memory, dry_run=False, progress=None).counts["summaries"] == 0
