"""How things are named, and how text is made safe at the border."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence

_SURROGATES = re.compile("[\ud800-\udfff]")
_SAFE_NAME = re.compile(r"[\w.@+-]+")  # \w is Unicode: Chinese names stay readable
_RESERVED = re.compile(r"(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\..*)?", re.IGNORECASE)
NAME_BYTES = 120
# An id that alaya made, wherever it stands in a text.
MADE = re.compile(
    r"(?<![\w-])(?:(?:card|entity|event|link|put|revised|said|summary)-[0-9a-f]{20}"
    r"|recall-\d{4}[\dTZ:.-]+-[0-9a-f]{10})(?![\w-])"
)


def clean(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD and NUL dropped; else the same object."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    if not text.isascii() and _SURROGATES.search(text):
        # A high and a low surrogate that stand together are one character that JSON tore apart.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def excerpt(text: str, limit: int) -> str:
    """The beginning of what somebody else sent, on one line and fit to be printed.

    Of what is no text (more than an eighth of it cannot be printed) only the length is told.
    """
    head = " ".join(text[: 2 * limit].split())[:limit]
    odd = sum(not char.isprintable() or char == "\ufffd" for char in head)
    if odd * 8 > len(head):
        return f"(no text, {len(text)} characters)"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in head)


def sha256(text: str) -> str:
    """Hex SHA-256 of the UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def digest(*parts: object) -> str:
    """A short stable hash (20 hex digits, 80 bits) over any JSON-able parts."""
    return sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str))[:20]


def card_id(draft: str, position: int) -> str:
    """The id of the `position`-th card of a draft: the same draft always yields the same ids."""
    return f"card-{digest('card', draft, position)}"


def entity_id(user: str, name: str, *, evidence: str) -> str:
    """Made when an entity is first recorded, so that two things of one name can differ."""
    return f"entity-{digest('entity', user, name, evidence)}"


def summary_id(user: str, level: str, *, name: Sequence[str]) -> str:
    """The id of a summary: `name` is what it sums up, such as (session, first turn)."""
    return f"summary-{digest('summary', user, level, [*name])}"


def link_id(user: str, source: str, *, relation: str, target: str, valid_at: str) -> str:
    """The id of an edge: its key in the graph, hashed."""
    return f"link-{digest('link', user, source, relation, target, valid_at)}"


def session_node(session: str) -> str:
    """The name under which a session stands in the graph beside `card-…` and `entity-…`."""
    return f"session:{session}"


def file_name(name: str, owner: str | None = None) -> str:
    """A file name that is unique for (`owner`, `name`), safe on every system, at most 120 bytes.

    Plain names stay as they are. Anything that could escape its folder, is too long, or could
    meet another name on a file system that folds case gets `~` and a hash of the whole name at its
    end; no plain name holds a `~`.
    """
    plain = (
        owner is None
        and _SAFE_NAME.fullmatch(name) is not None
        and not name.startswith(".")
        and not name.endswith(".")
        and not _RESERVED.fullmatch(name)
        and unicodedata.normalize("NFC", name).casefold() == name
        and len(name.encode("utf-8", "replace")) <= NAME_BYTES
    )
    if plain:
        return name
    # Folding can make a text longer: it comes before the cut.
    kept = "".join(_SAFE_NAME.findall(clean(name))).strip(".").casefold().encode()
    kept_text = kept[: NAME_BYTES - 22].decode("utf-8", "ignore")
    if _RESERVED.fullmatch(kept_text):  # NUL.txt is a device, and so is NUL.txt~…
        kept_text = f"x{kept_text}"
    return f"{kept_text or 'x'}~{digest('name', owner, name)}"
