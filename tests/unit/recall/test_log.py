"""What the recall log keeps of an answer."""

from __future__ import annotations

from alaya.model.passage import Query, Where
from alaya.recall.answer import recall
from alaya.recall.log import logged
from alaya.testing.invented import ALICE, Told, card, day, link

WHERE = Where(ALICE)


def test_similarity_to_the_question(told: Told, recaller) -> None:
    """What was found keeps how similar it was, whatever the recipe made of it."""
    told.cards(card("a", "gateway port"), card("b", "网关"))
    answer = recall(recaller(vectors=True), Query("gateway port", where=WHERE))
    made = logged(answer, ALICE, at=day(1))
    assert made.results == tuple(
        (hit.id, round(1 - hit.concept_distance, 4)) for hit in answer.hits
    )
    assert made.results[0][0] == "card-a"
    assert made.results[0][1] is not None
    assert made.results[0][1] > 0.3


def test_without_words_there_is_no_similarity(told: Told, recaller) -> None:
    """Who goes on from a card compares nothing: that does not cool what it leads to."""
    told.cards(card("a"), card("b"))
    told.links(link("a", "CAUSES", target="b"))
    answer = recall(recaller(), Query(from_nodes=("card-a",), where=WHERE))
    assert logged(answer, ALICE, at=day(1)).results == (("card-b", None),)
