"""The engine's tables, made once by their owner. Every statement may run again.

document: one row a document; a removed one stays as a bare tombstone, so that a late version cannot bring it back.
posting: one row a term and document. statistics: sums for BM25 by tenant, kind, subject and compartments.
credential: hashes of tokens; nobody but the owner may read it.
"""

TABLES = """
CREATE SCHEMA IF NOT EXISTS engine;

CREATE TABLE IF NOT EXISTS engine.document (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    id uuid NOT NULL,
    version bigint NOT NULL,
    removed boolean NOT NULL DEFAULT false,
    subject_id uuid,
    compartments text[],
    session_id uuid,
    agent_id text,
    author text NOT NULL DEFAULT '',
    valid_from timestamptz,
    valid_to timestamptz,
    turn_length integer NOT NULL DEFAULT 0,
    window_length integer NOT NULL DEFAULT 0,
    embedding halfvec,
    UNIQUE (tenant_id, kind, id)
);
ALTER TABLE engine.document ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX IF NOT EXISTS document_reach ON engine.document (tenant_id, subject_id, kind) WHERE NOT removed;

CREATE TABLE IF NOT EXISTS engine.posting (
    tenant_id uuid NOT NULL,
    term text NOT NULL,
    subject_id uuid,
    kind text NOT NULL,
    compartments text[],
    document_no bigint NOT NULL REFERENCES engine.document (no) ON DELETE CASCADE,
    turn_frequency smallint NOT NULL,
    window_frequency smallint NOT NULL,
    PRIMARY KEY (document_no, term)
);
CREATE INDEX IF NOT EXISTS posting_term ON engine.posting (tenant_id, term, subject_id);

CREATE TABLE IF NOT EXISTS engine.statistics (
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid,
    compartments text[],
    documents bigint NOT NULL,
    turn_length bigint NOT NULL,
    window_length bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (tenant_id, subject_id, kind, compartments)
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
"""

FUNCTIONS = """
CREATE OR REPLACE FUNCTION engine.held() RETURNS engine.credential
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT c.* FROM engine.credential c
          WHERE c.token_hash = sha256(convert_to(current_setting('app.engine_token', true), 'UTF8'))
            AND c.expires_at > now() $$;
CREATE OR REPLACE FUNCTION engine.tenant() RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT (engine.held()).tenant_id $$;
CREATE OR REPLACE FUNCTION engine.subject() RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT (engine.held()).subject_id $$;
CREATE OR REPLACE FUNCTION engine.kinds() RETURNS text[]
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT (engine.held()).kinds $$;
CREATE OR REPLACE FUNCTION engine.compartments() RETURNS text[]
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT (engine.held()).compartments $$;

CREATE OR REPLACE FUNCTION engine.grant_token(
    credential_id uuid, token_hash bytea, tenant uuid, subject uuid, kinds text[], compartments text[],
    ends timestamptz
) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ INSERT INTO engine.credential VALUES ($1, $2, $3, $4, $5, $6, $7) $$;
CREATE OR REPLACE FUNCTION engine.revoke_tokens(ids uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ DELETE FROM engine.credential WHERE id = ANY (ids) $$;
CREATE OR REPLACE FUNCTION engine.reach(credential_id uuid)
    RETURNS TABLE (tenant_id uuid, subject_id uuid, kinds text[], compartments text[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT c.tenant_id, c.subject_id, c.kinds, c.compartments FROM engine.credential c
          WHERE c.id = credential_id AND c.expires_at > now() $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA engine FROM PUBLIC;
GRANT USAGE ON SCHEMA engine TO mneme_engine, mneme_operator, mneme_web, mneme_worker;
GRANT EXECUTE ON FUNCTION engine.tenant, engine.subject, engine.kinds, engine.compartments TO mneme_engine;
GRANT EXECUTE ON FUNCTION engine.grant_token, engine.revoke_tokens, engine.reach TO mneme_web, mneme_worker;
GRANT SELECT ON engine.document, engine.posting, engine.statistics TO mneme_engine;
GRANT SELECT, INSERT, UPDATE, DELETE ON engine.document, engine.posting, engine.statistics TO mneme_operator;
"""

_REACHED = """
    tenant_id = (SELECT engine.tenant())
    AND kind = ANY ((SELECT engine.kinds())::text[])
    AND ((SELECT engine.subject()) IS NULL OR subject_id IS NULL OR subject_id = (SELECT engine.subject()))
    AND (compartments IS NULL OR compartments && (SELECT engine.compartments())::text[])
"""


def _walls(table: str) -> str:
    return f"""
    ALTER TABLE engine.{table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE engine.{table} FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS reader ON engine.{table};
    DROP POLICY IF EXISTS operator ON engine.{table};
    DROP POLICY IF EXISTS owner ON engine.{table};
    CREATE POLICY reader ON engine.{table} FOR SELECT TO mneme_engine USING ({_REACHED});
    CREATE POLICY operator ON engine.{table} TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON engine.{table} TO mneme_owner USING (true) WITH CHECK (true);
    """


CREDENTIAL_WALL = """
    ALTER TABLE engine.credential ENABLE ROW LEVEL SECURITY;
    ALTER TABLE engine.credential FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS owner ON engine.credential;
    CREATE POLICY owner ON engine.credential TO mneme_owner USING (true) WITH CHECK (true);
"""

STATEMENTS = (TABLES, FUNCTIONS, *map(_walls, ("document", "posting", "statistics")), CREDENTIAL_WALL)
