"""The functions that stand between the logins and the table of tokens, which they cannot read.

They run with the rights of their owner and a fixed search_path, and only those who need one may call it.
"""

FUNCTIONS = """
CREATE OR REPLACE FUNCTION engine.tenant() RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT c.tenant_id FROM engine.credential c
          WHERE c.token_hash = sha256(convert_to(current_setting('app.engine_token', true), 'UTF8'))
            AND c.expires_at > now() $$;

-- The places that the token of this transaction reaches; none without a live token. Every policy stands on it.
-- Three branches, so that a subject's own places are found by index among a tenant's many.
CREATE OR REPLACE FUNCTION engine.places() RETURNS SETOF integer
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 100 SET search_path = pg_catalog, pg_temp
    AS $$
        WITH held AS MATERIALIZED (
            SELECT c.* FROM engine.credential c
            WHERE c.token_hash = sha256(convert_to(current_setting('app.engine_token', true), 'UTF8'))
              AND c.expires_at > now()
        ), reached AS (
            SELECT p.*, h.kinds, h.compartments AS held_compartments
            FROM held h JOIN engine.place p ON p.tenant_id = h.tenant_id AND p.subject_id = h.subject_id
            UNION ALL
            SELECT p.*, h.kinds, h.compartments
            FROM held h JOIN engine.place p ON p.tenant_id = h.tenant_id AND p.subject_id IS NULL
            UNION ALL
            SELECT p.*, h.kinds, h.compartments
            FROM held h JOIN engine.place p ON p.tenant_id = h.tenant_id AND p.subject_id IS NOT NULL
            WHERE h.subject_id IS NULL
        )
        SELECT r.no FROM reached r
        WHERE r.kind = ANY (r.kinds) AND (r.compartments IS NULL OR r.compartments && r.held_compartments)
    $$;

-- Whether the token of this transaction hides a field; without a live token all are hidden.
CREATE OR REPLACE FUNCTION engine.hides(field text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT coalesce((
              SELECT field = ANY (c.hidden_fields) FROM engine.credential c
              WHERE c.token_hash = sha256(convert_to(current_setting('app.engine_token', true), 'UTF8'))
                AND c.expires_at > now()), true) $$;

-- All that the token of this transaction hides; null without a live token, which hides everything.
CREATE OR REPLACE FUNCTION engine.hidden() RETURNS text[]
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT c.hidden_fields FROM engine.credential c
          WHERE c.token_hash = sha256(convert_to(current_setting('app.engine_token', true), 'UTF8'))
            AND c.expires_at > now() $$;

DROP FUNCTION IF EXISTS engine.grant_token(uuid, bytea, uuid, uuid, text[], text[], timestamptz);
CREATE OR REPLACE FUNCTION engine.grant_token(
    credential_id uuid, token_hash bytea, tenant uuid, subject uuid, kinds text[], compartments text[],
    hidden text[], ends timestamptz
) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ INSERT INTO engine.credential
              (id, token_hash, tenant_id, subject_id, kinds, compartments, hidden_fields, expires_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8) $$;

CREATE OR REPLACE FUNCTION engine.revoke_tokens(ids uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ DELETE FROM engine.credential WHERE id = ANY (ids) $$;

DROP FUNCTION IF EXISTS engine.reach(uuid);
CREATE FUNCTION engine.reach(credential_id uuid)
    RETURNS TABLE (tenant_id uuid, subject_id uuid, kinds text[], compartments text[], hidden_fields text[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT c.tenant_id, c.subject_id, c.kinds, c.compartments, c.hidden_fields FROM engine.credential c
          WHERE c.id = credential_id AND c.expires_at > now() $$;

-- What there is, without the hashes; ended ones too, which nothing else would find.
CREATE OR REPLACE FUNCTION engine.credentials() RETURNS TABLE (id uuid, expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT c.id, c.expires_at FROM engine.credential c ORDER BY c.id $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA engine FROM PUBLIC;
GRANT USAGE ON SCHEMA engine TO mneme_engine, mneme_operator, mneme_web, mneme_worker;
GRANT EXECUTE ON FUNCTION engine.tenant, engine.places, engine.hides, engine.hidden TO mneme_engine;
GRANT EXECUTE ON FUNCTION engine.grant_token, engine.revoke_tokens, engine.reach TO mneme_web, mneme_worker;
GRANT EXECUTE ON FUNCTION engine.credentials TO mneme_worker;
"""
