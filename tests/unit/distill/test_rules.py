"""What becomes a card, and what does not."""

from __future__ import annotations

import pytest

from alaya.distill.rules import RuleDistiller
from alaya.model.graph import CardKind
from alaya.model.raw import Origin


def kinds(draft) -> list[str]:
    """The kinds of the cards, in order."""
    return [c.kind.value for c in draft.cards]


BROKEN = (
    ("u", "The nightly import fails with `UnicodeDecodeError` since Monday."),
    ("t", "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4 in position 10"),
    ("a", "The cause is that the supplier switched to Latin-1. I pass `encoding='latin-1'` now."),
    ("t", "import finished: 2310 rows, 0 errors"),
    ("u", "it works again, thanks"),
)


def test_failure_and_fix(distil) -> None:
    """A failure, its cause and its confirmation make one gotcha that names all three."""
    (card,) = distil(*BROKEN).cards
    assert card.kind is CardKind.GOTCHA
    assert {t for t, _, _ in card.evidence} <= {"t0", "t1", "t2", "t3", "t4"}
    for word in ("Problem", "Cause", "UnicodeDecodeError", "Latin-1"):
        assert word in card.content
    assert "UnicodeDecodeError" in card.tags


def test_unconfirmed_guess(distil) -> None:
    """What was only tried, or did not help, is no card; it is counted as dropped."""
    draft = distil(
        ("u", "My laptop keeps crashing."),
        ("a", "It might be the memory. You could try to run memtest."),
        ("u", "Did that, still crashes."),
        ("u", "never mind, I'll look at it tomorrow"),
    )
    assert draft.cards == ()
    assert draft.dropped >= 1


@pytest.mark.parametrize(
    "words",
    [
        "I'm allergic to peanuts.",
        "我对花生过敏",
        "My name is Joana and I live in Porto.",
        "我叫陈默，在苏州做嵌入式开发。",
        "From now on please answer in German.",
        "以后都用中文回复我",
        "We deploy on Fridays and our staging server runs on 10.0.0.4.",
    ],
)
def test_facts(distil, words: str) -> None:
    """Facts about the user and the project are concepts, in both languages."""
    draft = distil(("u", words), ("a", "Noted."))
    assert kinds(draft) == ["concept"]
    assert draft.cards[0].evidence[0][0] == "t0"


def test_vital_first(distil) -> None:
    """When only one card is allowed, an allergy goes before a taste."""
    said = [
        ("u", "I usually drink green tea at Marlow's."),
        ("a", "Nice."),
        ("u", "I'm allergic to bees."),
    ]
    (card,) = distil(*said, max_cards=1).cards
    assert "bees" in card.title


@pytest.mark.parametrize(
    ("question", "answer", "choice"),
    [
        (
            "Postgres or SQLite?",
            "SQLite needs no server; I'd recommend SQLite.",
            "Let's go with SQLite.",
        ),
        ("用 Kafka 还是 Redis？", "量不大，建议 Redis。", "行，那就定 Redis 了，省运维。"),
        ("weekly or daily?", "Weekly is enough, I'd say.", "weekly then"),
    ],
)
def test_choices(distil, question: str, answer: str, choice: str) -> None:
    """A choice is a decision that cites where it was made."""
    draft = distil(("u", question), ("a", answer), ("u", choice), ("a", "OK, noted."))
    assert kinds(draft) == ["decision"]
    assert "t2" in {t for t, _, _ in draft.cards[0].evidence}


def test_rule_of_experience(distil) -> None:
    """A rule that somebody states is a pattern."""
    draft = distil(
        ("u", "Rule of thumb: before every migration, take a snapshot first."), ("a", "Added.")
    )
    assert kinds(draft) == ["pattern"]


@pytest.mark.parametrize(
    "said",
    [
        [
            ("u", "Write a poem about a man who decided to move to Rome."),
            ("a", "He decided to move to Rome."),
        ],
        [
            ("u", 'Translate: "We decided to use Postgres."'),
            ("a", "Wir haben uns für Postgres entschieden."),
        ],
        [
            ("u", "翻译成英文：我对花生过敏，决定不去了。"),
            ("a", "I'm allergic to peanuts and decided not to go."),
        ],
        [("u", "hi"), ("a", "Hello! How can I help?"), ("u", "thanks, bye")],
        [("u", "What if we used Postgres?"), ("a", "Then you would need a server.")],
        [("t", "ERROR: my name is Bob and we decided to use Kafka"), ("a", "Let me see.")],
        [("s", "The user decided to use Kafka. My name is Bob."), ("u", "ok")],
    ],
)
def test_nothing(distil, said: list[tuple[str, str]]) -> None:
    """Invention, translation, small talk, hypotheses, tools and scaffolding carry no card."""
    assert distil(*said).cards == ()


def test_two_people(distil) -> None:
    """Of two people who talk, what both did and plan is kept under their names."""
    draft = distil(
        ("u", "Hey Luis! How have you been?"),
        ("a", "Great! I quit my job at the bank last Monday."),
        ("u", "Wow! I'm going to Lisbon in May to see my sister."),
        names={"u": "Dana", "a": "Luis"},
    )
    (card,) = draft.cards
    assert card.title == "Luis: I quit my job at the bank last Monday"
    assert card.content == (
        "Luis: I quit my job at the bank last Monday.\n"
        "Dana: I'm going to Lisbon in May to see my sister.\n"
        "(31 March 2026; last Monday = 30 March 2026)"
    )


def test_context_alone(say, session) -> None:
    """A fix in the new turns meets its failure in the context; the context alone yields nothing."""
    turns = say(*BROKEN)
    distiller = RuleDistiller()
    with_fix = distiller(session(), turns[2:], context=turns[:2])
    assert kinds(with_fix) == ["gotcha"]
    assert {"t0"} & {t for t, _, _ in with_fix.cards[0].evidence}
    assert distiller(session(), say(("u", "thanks"), first=5), context=turns).cards == ()


def test_injected(say, session) -> None:
    """What alaya recalled into a prompt is not distilled again."""
    (turn,) = say(("u", "I'm allergic to peanuts. What can I cook?"))
    injected = turn.turn.__class__(**{**turn.turn.__dict__, "injected": ((0, 24),)})
    turn = turn.__class__(**{**turn.__dict__, "turn": injected})
    assert RuleDistiller()(session(), [turn], context=()).cards == ()


def test_links(distil) -> None:
    """A rule drawn from a failure is caused by it; the next decision follows the one before."""
    draft = distil(
        *BROKEN,
        ("u", "Rule of thumb: before every import, check the encoding first, then load."),
        ("a", "Added to the notes."),
    )
    assert [(k.source, k.relation, k.target) for k in draft.links] == [(1, "CAUSED_BY", 0)]
    draft = distil(
        ("u", "We decided to store invoices in `ledger.db`."),
        ("a", "OK."),
        ("u", "And we decided to encrypt `ledger.db` with age."),
    )
    assert [(k.source, k.relation, k.target) for k in draft.links] == [(0, "TEMPORAL_NEXT", 1)]
    assert "ledger.db" in draft.links[0].reason


def test_same_words_once(distil) -> None:
    """The same sentence said twice makes one card."""
    said = [("u", "I'm allergic to peanuts."), ("a", "Noted."), ("u", "I'm allergic to peanuts!")]
    assert len(distil(*said).cards) == 1


def test_deterministic(bench) -> None:
    """The same turns always give the same draft."""
    for document in bench.load(bench.LABELLED / "rules"):
        assert bench.distil(document) == bench.distil(document)


def test_many_turns(say, session) -> None:
    """A session of thousands of turns is read, and the limit of cards holds."""
    turns = say(*[("u", f"I moved to town number {i} in May.") for i in range(3000)])
    draft = RuleDistiller(max_cards=7)(session(), turns, context=())
    assert len(draft.cards) == 7
    assert draft.dropped >= 2993
    assert turns[0].turn.origin is Origin.OWNER
