"""The tables, as numbered migrations. `PRAGMA user_version` tells which ones were run.

Everything here is a projection: a database of an older shape is emptied when it is opened, and
whoever reads it next replays the journal.
"""

from __future__ import annotations

# Everything but the space is part of a term: the text is segmented before (model/words.py).
_PUNCTUATION = "!#$%&()*+,-./:;<=>?@[\\]^_`{|}~"
TOKENIZER = f"ascii tokenchars '{_PUNCTUATION}''\"\"'".replace("'", "''")

MIGRATIONS = (
    f"""
    CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;

    CREATE TABLE sessions(
      user TEXT, id TEXT, agent TEXT, kind TEXT, started_at TEXT, last_said_at TEXT,
      generation INTEGER, turns INTEGER, "end" INTEGER, tokens INTEGER, distilled INTEGER DEFAULT 0,
      json TEXT, PRIMARY KEY(user, id)) WITHOUT ROWID;
    CREATE TABLE distilled(
      user TEXT, content_hash TEXT, session TEXT, draft TEXT,
      PRIMARY KEY(user, content_hash)) WITHOUT ROWID;

    CREATE TABLE turns(
      rowid INTEGER PRIMARY KEY, user TEXT, agent TEXT, session TEXT, id TEXT, ordinal INTEGER,
      generation INTEGER, offset INTEGER, length INTEGER, role TEXT, origin TEXT, said_at TEXT,
      recorded_at TEXT, sha256 TEXT, text_hash TEXT, tokens INTEGER, mark TEXT, parent TEXT,
      UNIQUE(user, session, id));
    CREATE INDEX turns_ordinal ON turns(user, session, ordinal);
    CREATE INDEX turns_said ON turns(said_at) WHERE text_hash IS NOT NULL;
    CREATE INDEX turns_text ON turns(text_hash) WHERE text_hash IS NOT NULL;

    CREATE TABLE cards(
      rowid INTEGER PRIMARY KEY, id TEXT, version INTEGER, user TEXT, agent TEXT, session TEXT,
      kind TEXT, origin TEXT, confidence REAL, importance REAL, said_at TEXT, recorded_at TEXT,
      retired_at TEXT, forgotten_at TEXT, pinned INTEGER DEFAULT 0, stale INTEGER DEFAULT 0,
      quarantined INTEGER DEFAULT 0, tier TEXT DEFAULT 'HOT', text_hash TEXT, draft TEXT, json TEXT,
      UNIQUE(user, id, version));
    CREATE INDEX cards_said ON cards(said_at);
    CREATE INDEX cards_text ON cards(text_hash);
    CREATE INDEX cards_session ON cards(user, session);
    CREATE TABLE card_tags(tag TEXT, card INTEGER, PRIMARY KEY(tag, card)) WITHOUT ROWID;
    CREATE TABLE spans(
      user TEXT, session TEXT, turn TEXT, card INTEGER, first INTEGER, last INTEGER, sha256 TEXT,
      PRIMARY KEY(user, session, turn, card, first, last)) WITHOUT ROWID;
    CREATE TABLE accesses(
      user TEXT, card TEXT, count INTEGER, last_at TEXT, relevance REAL,
      PRIMARY KEY(user, card)) WITHOUT ROWID;

    CREATE TABLE links(
      user TEXT, source TEXT, relation TEXT, target TEXT, valid_at TEXT, weight REAL, id TEXT,
      invalid_at TEXT, recorded_at TEXT, retired_at TEXT, json TEXT,
      PRIMARY KEY(user, source, relation, target, valid_at)) WITHOUT ROWID;
    CREATE INDEX links_back ON links(user, target, relation, source, valid_at, weight, retired_at);
    CREATE INDEX links_id ON links(id);
    CREATE INDEX links_relation ON links(user, relation, retired_at);

    CREATE TABLE entities(
      id TEXT, user TEXT, agent TEXT, session TEXT, name TEXT, kind TEXT, merged_into TEXT,
      recorded_at TEXT, json TEXT, PRIMARY KEY(user, id)) WITHOUT ROWID;
    CREATE TABLE entity_names(
      user TEXT, name TEXT, entity TEXT, PRIMARY KEY(user, name, entity)) WITHOUT ROWID;
    CREATE TABLE summaries(
      id TEXT, user TEXT, agent TEXT, session TEXT, said_at TEXT, recorded_at TEXT, json TEXT,
      PRIMARY KEY(user, id)) WITHOUT ROWID;
    CREATE TABLE events(
      id TEXT, user TEXT, session TEXT, turn TEXT, kind TEXT, at TEXT, json TEXT,
      PRIMARY KEY(user, id)) WITHOUT ROWID;
    CREATE TABLE notes(
      user TEXT, path TEXT, recorded_at TEXT, json TEXT, PRIMARY KEY(user, path)) WITHOUT ROWID;
    CREATE TABLE relations(name TEXT PRIMARY KEY, text_hash TEXT, json TEXT) WITHOUT ROWID;
    CREATE TABLE calibrations(
      model TEXT, pair TEXT, median REAL, pairs INTEGER, at TEXT,
      PRIMARY KEY(model, pair)) WITHOUT ROWID;

    CREATE TABLE vectors(
      model TEXT, hash TEXT, win INTEGER, slot INTEGER, vector BLOB,
      PRIMARY KEY(model, hash, win));
    CREATE INDEX vectors_text ON vectors(model, hash, slot) WHERE slot IS NOT NULL;
    CREATE UNIQUE INDEX vectors_slot ON vectors(model, slot) WHERE slot IS NOT NULL;

    CREATE VIRTUAL TABLE card_words USING fts5(
      title, body, chars, content='', contentless_delete=1, tokenize='{TOKENIZER}');
    CREATE VIRTUAL TABLE card_terms USING fts5vocab(card_words, row);
    CREATE VIRTUAL TABLE turn_words USING fts5(
      body, chars, content='', contentless_delete=1, tokenize='{TOKENIZER}');
    CREATE VIRTUAL TABLE turn_terms USING fts5vocab(turn_words, row);
    """,
    """
    CREATE TABLE card_forms(
      rowid INTEGER PRIMARY KEY, terms TEXT, names TEXT, heading TEXT, asks INTEGER);
    CREATE TABLE turn_forms(
      rowid INTEGER PRIMARY KEY, terms TEXT, names TEXT, heading TEXT, asks INTEGER, speaker TEXT);
    CREATE TABLE mentions(
      user TEXT, name TEXT, kind INTEGER, item INTEGER, leads INTEGER,
      PRIMARY KEY(user, name, kind, item)) WITHOUT ROWID;
    """,
    f"""
    CREATE TABLE entity_spans(
      user TEXT, session TEXT, turn TEXT, entity TEXT,
      PRIMARY KEY(user, session, turn, entity)) WITHOUT ROWID;
    CREATE INDEX entity_spans_entity ON entity_spans(user, entity);
    DROP TABLE summaries;
    CREATE TABLE summaries(
      rowid INTEGER PRIMARY KEY, id TEXT, user TEXT, agent TEXT, session TEXT, origin TEXT,
      said_at TEXT, recorded_at TEXT, forgotten_at TEXT, text_hash TEXT, json TEXT,
      UNIQUE(user, id));
    CREATE INDEX summaries_session ON summaries(user, session);
    CREATE INDEX summaries_said ON summaries(said_at);
    CREATE INDEX summaries_text ON summaries(text_hash);
    CREATE VIRTUAL TABLE summary_words USING fts5(
      title, body, chars, content='', contentless_delete=1, tokenize='{TOKENIZER}');
    CREATE VIRTUAL TABLE summary_terms USING fts5vocab(summary_words, row);
    CREATE TABLE summary_forms(
      rowid INTEGER PRIMARY KEY, terms TEXT, names TEXT, heading TEXT, asks INTEGER, days TEXT);
    ALTER TABLE card_forms ADD COLUMN days TEXT;
    ALTER TABLE turn_forms ADD COLUMN days TEXT;
    """,
    """
    CREATE TABLE card_events(
      user TEXT, event TEXT, card INTEGER, PRIMARY KEY(user, event, card)) WITHOUT ROWID;
    CREATE INDEX card_events_card ON card_events(card);
    CREATE TABLE event_about(
      user TEXT, about TEXT, event TEXT, PRIMARY KEY(user, about, event)) WITHOUT ROWID;
    """,
    # What rows were before they became what they are: `until` is the journal's time of the change.
    """
    CREATE TABLE records(
      seq INTEGER PRIMARY KEY, at TEXT, chain TEXT, file TEXT, "offset" INTEGER);
    CREATE INDEX records_at ON records(at);
    CREATE TABLE touched(
      user TEXT, thing TEXT, seq INTEGER, PRIMARY KEY(user, thing, seq)) WITHOUT ROWID;
    CREATE INDEX touched_seq ON touched(user, seq);

    ALTER TABLE cards ADD COLUMN withdrawn INTEGER DEFAULT 0;
    CREATE TABLE former_cards(
      card INTEGER, until TEXT, forgotten_at TEXT, pinned INTEGER, stale INTEGER,
      quarantined INTEGER, tier TEXT, horizon TEXT, PRIMARY KEY(card, until)) WITHOUT ROWID;
    CREATE TABLE former_turns(
      turn INTEGER, until TEXT, mark TEXT, PRIMARY KEY(turn, until)) WITHOUT ROWID;
    CREATE TABLE former_links(
      user TEXT, source TEXT, relation TEXT, target TEXT, valid_at TEXT, until TEXT, weight REAL,
      id TEXT, invalid_at TEXT, recorded_at TEXT, retired_at TEXT, json TEXT,
      PRIMARY KEY(user, source, relation, target, valid_at, until)) WITHOUT ROWID;
    CREATE INDEX former_links_back ON former_links(user, target);
    CREATE INDEX former_links_id ON former_links(id);

    ALTER TABLE entities ADD COLUMN retired_at TEXT;
    CREATE TABLE former_entities(
      user TEXT, id TEXT, until TEXT, agent TEXT, session TEXT, name TEXT, kind TEXT,
      merged_into TEXT, recorded_at TEXT, retired_at TEXT, json TEXT,
      PRIMARY KEY(user, id, until)) WITHOUT ROWID;
    DROP TABLE entity_names;
    CREATE TABLE entity_names(
      user TEXT, name TEXT, entity TEXT, recorded_at TEXT, retired_at TEXT,
      PRIMARY KEY(user, name, entity, recorded_at)) WITHOUT ROWID;
    CREATE INDEX entity_names_entity ON entity_names(user, entity);
    DROP TABLE entity_spans;
    CREATE TABLE entity_spans(
      user TEXT, session TEXT, turn TEXT, entity TEXT, recorded_at TEXT, retired_at TEXT,
      PRIMARY KEY(user, session, turn, entity, recorded_at)) WITHOUT ROWID;
    CREATE INDEX entity_spans_entity ON entity_spans(user, entity);

    DROP TABLE summaries;
    CREATE TABLE summaries(
      rowid INTEGER PRIMARY KEY, id TEXT, user TEXT, agent TEXT, session TEXT, origin TEXT,
      said_at TEXT, recorded_at TEXT, retired_at TEXT, forgotten_at TEXT, text_hash TEXT,
      json TEXT);
    CREATE INDEX summaries_id ON summaries(user, id);
    CREATE INDEX summaries_session ON summaries(user, session);
    CREATE INDEX summaries_said ON summaries(said_at);
    CREATE INDEX summaries_text ON summaries(text_hash);
    CREATE TABLE former_summaries(
      summary INTEGER, until TEXT, forgotten_at TEXT, PRIMARY KEY(summary, until)) WITHOUT ROWID;

    DROP TABLE distilled;
    CREATE TABLE distilled(
      rowid INTEGER PRIMARY KEY, user TEXT, session TEXT, content_hash TEXT, turns INTEGER,
      draft TEXT, recorded_at TEXT, retired_at TEXT, json TEXT);
    CREATE INDEX distilled_content ON distilled(user, content_hash);
    CREATE INDEX distilled_session ON distilled(user, session);

    -- Notes, events and relations; json NULL: there was none.
    CREATE TABLE former_values(
      kind TEXT, user TEXT, name TEXT, until TEXT, json TEXT,
      PRIMARY KEY(kind, user, name, until)) WITHOUT ROWID;
    """,
)

# Those that are FTS5's.
WORDS = ("card_words", "turn_words", "summary_words")

# What follows from L2 and L3 alone.
L1 = ("vectors", *WORDS, "card_forms", "turn_forms", "summary_forms", "mentions")

# What `reset` empties; calibration and vectors too: the first is journaled, the second cached.
TABLES = (
    "sessions",
    "distilled",
    "turns",
    "cards",
    "card_tags",
    "spans",
    "card_events",
    "accesses",
    "links",
    "entities",
    "entity_names",
    "entity_spans",
    "summaries",
    "events",
    "event_about",
    "notes",
    "relations",
    "calibrations",
    "records",
    "touched",
    "former_cards",
    "former_turns",
    "former_links",
    "former_entities",
    "former_summaries",
    "former_values",
    *L1,
)
