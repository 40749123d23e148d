"""What `alaya context` prints: the block as it is, or with --json the block and what is in it."""

from __future__ import annotations

from typing import Any

from alaya.cli.page import Page
from alaya.cli.result import document
from alaya.model.context import Context


def context_lines(found: Context, page: Page) -> list[str]:
    """The block, to be put into a prompt as it is; to a person, also how full it is."""
    said = "context.tokens" if found.text else "context.nothing_fits"
    if not (found.text or found.left_out or found.abstained):
        said = "recall.nothing_new"
    lines = [found.text] if found.text else []
    return lines + page.hints(
        *([""] if lines else []),
        page.say(
            said,
            tokens=found.tokens,
            budget=found.budget,
            counter=found.counted_by,
            left=found.left_out,
        ),
        *(page.say("recall.note", note=page.local(note)) for note in found.notes),
    )


def context_document(found: Context) -> dict[str, Any]:
    """The block as `text`; what is in it by id, without the words, which stand between its tags."""
    return {
        "text": found.text,
        "format": found.format.value,
        "tokens": found.tokens,
        "budget": found.budget,
        "counted_by": found.counted_by,
        "abstained": found.abstained,
        "left_out": found.left_out,
        "items": [
            {
                "section": item.section.value,
                "id": item.id,
                "citations": list(item.citations),
                "origin": item.origin.value,
                "untrusted": item.untrusted,
                "cut": item.cut,
                "marks": [document(mark) for mark in item.marks],
            }
            for item in found.items
        ],
        "notes": list(found.notes),
    }
