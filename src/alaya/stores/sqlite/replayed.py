"""Every row that follows from the journal: what a rebuild must give again, and is compared by."""

from __future__ import annotations

# What a replay of the journal must give again: (layer, name, query of name and content).
ROWS = (
    (
        "L2",
        "session",
        """SELECT user||' '||id, agent, kind, started_at, last_said_at, generation, turns, "end",
       tokens, distilled, json FROM sessions""",
    ),
    (
        "L2",
        "distilled content",
        """SELECT user||' '||session||' '||content_hash||' '||rowid, turns, draft, recorded_at,
       retired_at, json FROM distilled""",
    ),
    (
        "L2",
        "turn",
        """SELECT user||' '||session||'#'||id, agent, ordinal, generation, offset, length, role,
       origin, said_at, recorded_at, sha256, text_hash, tokens, mark, parent FROM turns""",
    ),
    (
        "L2",
        "card",
        """SELECT user||' '||id||' v'||version, agent, session, kind, origin, confidence,
       importance, said_at, recorded_at, retired_at, forgotten_at, pinned, stale, quarantined,
       tier, text_hash, draft, json, withdrawn FROM cards""",
    ),
    (
        "L2",
        "tag",
        """SELECT c.user||' '||c.id||' v'||c.version||' '||g.tag
       FROM card_tags g JOIN cards c ON c.rowid=g.card""",
    ),
    (
        "L2",
        "evidence",
        """SELECT c.user||' '||c.id||' v'||c.version||' '||p.session||'#'||p.turn||' '||p.first
       ||'-'||p.last, p.user, p.sha256 FROM spans p JOIN cards c ON c.rowid=p.card""",
    ),
    (
        "L2",
        "event of card",
        """SELECT c.user||' '||c.id||' v'||c.version||' '||e.event
       FROM card_events e JOIN cards c ON c.rowid=e.card""",
    ),
    ("L2", "subject of event", "SELECT user||' '||event||' '||about FROM event_about"),
    (
        "L2",
        "link",
        """SELECT user||' '||source||' '||relation||' '||target||' '||valid_at, id, weight,
       invalid_at, recorded_at, retired_at, json FROM links""",
    ),
    (
        "L2",
        "entity",
        """SELECT user||' '||id, agent, session, name, kind, merged_into, recorded_at, retired_at,
       json FROM entities""",
    ),
    (
        "L2",
        "entity name",
        """SELECT user||' '||name||' '||entity||' '||recorded_at, retired_at FROM entity_names""",
    ),
    (
        "L2",
        "entity of turn",
        """SELECT user||' '||session||'#'||turn||' '||entity||' '||recorded_at, retired_at
       FROM entity_spans""",
    ),
    (
        "L2",
        "summary",
        """SELECT user||' '||id||' '||rowid, agent, session, origin, said_at, recorded_at,
       retired_at, forgotten_at, text_hash, json FROM summaries""",
    ),
    (
        "L2",
        "card before",
        """SELECT c.user||' '||c.id||' v'||c.version||' '||f.until, f.forgotten_at, f.pinned,
       f.stale, f.quarantined, f.tier, f.horizon
       FROM former_cards f JOIN cards c ON c.rowid=f.card""",
    ),
    (
        "L2",
        "turn before",
        """SELECT t.user||' '||t.session||'#'||t.id||' '||f.until, f.mark
       FROM former_turns f JOIN turns t ON t.rowid=f.turn""",
    ),
    (
        "L2",
        "summary before",
        """SELECT m.user||' '||m.id||' '||m.rowid||' '||f.until, f.forgotten_at
       FROM former_summaries f JOIN summaries m ON m.rowid=f.summary""",
    ),
    (
        "L2",
        "link before",
        """SELECT user||' '||source||' '||relation||' '||target||' '||valid_at||' '||until, id,
       weight, invalid_at, recorded_at, retired_at, json FROM former_links""",
    ),
    (
        "L2",
        "entity before",
        """SELECT user||' '||id||' '||until, agent, session, name, kind, merged_into, recorded_at,
       retired_at, json FROM former_entities""",
    ),
    ("L2", "before", "SELECT user||' '||kind||' '||name||' '||until, json FROM former_values"),
    ("L2", "event", "SELECT user||' '||id, session, turn, kind, at, json FROM events"),
    ("L2", "note", "SELECT user||' '||path, recorded_at, json FROM notes"),
    ("L2", "relation", "SELECT name, text_hash, json FROM relations"),
    ("L2", "calibration", "SELECT model||' '||pair, median, pairs, at FROM calibrations"),
    ("L1", "word of cards", "SELECT term, doc, cnt FROM card_terms"),
    ("L1", "word of turns", "SELECT term, doc, cnt FROM turn_terms"),
    ("L1", "word of summaries", "SELECT term, doc, cnt FROM summary_terms"),
    (
        "L1",
        "forms of summary",
        """SELECT m.user||' '||m.id||' '||m.rowid, f.terms, f.names, f.heading, f.asks, f.days
       FROM summary_forms f JOIN summaries m ON m.rowid=f.rowid""",
    ),
    (
        "L1",
        "forms of card",
        """SELECT c.user||' '||c.id||' v'||c.version, f.terms, f.names, f.heading, f.asks, f.days
       FROM card_forms f JOIN cards c ON c.rowid=f.rowid""",
    ),
    (
        "L1",
        "forms of turn",
        """SELECT t.user||' '||t.session||'#'||t.id, f.terms, f.names, f.heading, f.asks, f.days,
         f.speaker
       FROM turn_forms f JOIN turns t ON t.rowid=f.rowid""",
    ),
    (
        "L1",
        "name",
        """SELECT user||' '||kind||' '||name, count(*), sum(leads) FROM mentions
       GROUP BY user, name, kind""",
    ),
)
