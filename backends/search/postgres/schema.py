"""The engine's tables, made once by their owner. Every statement may run again.

place: what documents are told apart by: tenant, kind, subject, compartments, state. Rows in it never change.
state: open = believed and true without an end; timed = believed, but expires or ceases to be true; closed = not
believed any more. So the usual question, for what is open, need not look at each document's times.
document: one row a document; a removed one stays as a bare tombstone without a place, so that a late version cannot
bring it back and no reader sees it. posting: one row a term and document, with all that its score needs.
facet: one row a document and field that can be hidden, with its tokens, see backends.search.facets; other fields'
tokens stand in the document's own row. passage: one row a passage of a long document, with its vector.
statistics: sums for BM25 by place.
credential: hashes of tokens; nobody but the owner may read it.
Vectors of the site's length stand in a graph of neighbours besides, see nearest.py.
"""

from backends.search.postgres.credentials import FUNCTIONS
from backends.search.postgres.walls import WALLS

TABLES = """
CREATE SCHEMA IF NOT EXISTS engine;

CREATE TABLE IF NOT EXISTS engine.place (
    no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid,
    compartments text[],
    state text NOT NULL CHECK (state IN ('open', 'timed', 'closed')),
    UNIQUE NULLS NOT DISTINCT (tenant_id, subject_id, kind, compartments, state)
);

CREATE TABLE IF NOT EXISTS engine.document (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    id uuid NOT NULL,
    version bigint NOT NULL,
    place_no integer REFERENCES engine.place,
    session_id uuid,
    agent_id text,
    author text NOT NULL DEFAULT '',
    valid_from timestamptz,
    valid_to timestamptz,
    accepted_at timestamptz,
    closed_at timestamptz,
    ended_at timestamptz,
    expires_at timestamptz,
    superseded boolean NOT NULL DEFAULT false,
    turn_length integer NOT NULL DEFAULT 0,
    window_length integer NOT NULL DEFAULT 0,
    embedding halfvec,
    UNIQUE (tenant_id, kind, id)
);
ALTER TABLE engine.document ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE engine.document
    ADD COLUMN IF NOT EXISTS facets text[] NOT NULL DEFAULT '{}',
    ADD COLUMN IF NOT EXISTS valid_from_us bigint,
    ADD COLUMN IF NOT EXISTS valid_to_us bigint,
    ADD COLUMN IF NOT EXISTS recorded_us bigint,
    ADD COLUMN IF NOT EXISTS expires_us bigint;
CREATE INDEX IF NOT EXISTS document_place ON engine.document (place_no, author) INCLUDE (no);

-- Without a foreign key: it would be checked for every word, and postings are written with their document only.
CREATE TABLE IF NOT EXISTS engine.posting (
    document_no bigint NOT NULL,
    place_no integer NOT NULL,
    turn_length integer NOT NULL,
    window_length integer NOT NULL,
    turn_frequency smallint NOT NULL,
    window_frequency smallint NOT NULL,
    term text NOT NULL
);
CREATE INDEX IF NOT EXISTS posting_term ON engine.posting (place_no, term)
    INCLUDE (document_no, turn_length, window_length, turn_frequency, window_frequency);
CREATE INDEX IF NOT EXISTS posting_document ON engine.posting (document_no);

CREATE TABLE IF NOT EXISTS engine.facet (
    document_no bigint NOT NULL,
    place_no integer NOT NULL,
    field text NOT NULL,
    tokens text[] NOT NULL,
    PRIMARY KEY (document_no, field)
);
CREATE INDEX IF NOT EXISTS facet_place ON engine.facet (place_no);

CREATE TABLE IF NOT EXISTS engine.passage (
    document_no bigint NOT NULL,
    place_no integer NOT NULL,
    embedding halfvec NOT NULL
);
ALTER TABLE engine.passage ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX IF NOT EXISTS passage_place ON engine.passage (place_no);
CREATE INDEX IF NOT EXISTS passage_document ON engine.passage (document_no);

CREATE TABLE IF NOT EXISTS engine.statistics (
    place_no integer PRIMARY KEY REFERENCES engine.place,
    documents bigint NOT NULL,
    turn_length bigint NOT NULL,
    window_length bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS engine.credential (
    id uuid PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE,
    tenant_id uuid NOT NULL,
    subject_id uuid,
    kinds text[] NOT NULL,
    compartments text[] NOT NULL,
    expires_at timestamptz NOT NULL
);
ALTER TABLE engine.credential ADD COLUMN IF NOT EXISTS hidden_fields text[] NOT NULL DEFAULT '{}';
"""

STATEMENTS = (TABLES, FUNCTIONS, WALLS)
