"""The statements of a search: short ones, so that the planner knows what each will find.

One statement for all was planned for one row where thousands came. BM25 is in Lucene's form,
tf / (tf + k1 (1 - b + b * length / average)), without the (k1 + 1) factor. Document frequency, count and average
lengths are of the reach alone, so nobody else's writes change a score.
Source: Robertson & Zaragoza, The Probabilistic Relevance Framework, 2009; Lucene BM25Similarity.
"""

from backends.search.base import Where
from backends.search.bm25 import K1, B
from backends.search.postgres.times import asks_every_document, restrictions

BEGIN = """
    SELECT set_config('role', 'mneme_engine', true), set_config('app.engine_token', %s, true),
           set_config('statement_timeout', '10s', true), set_config('work_mem', '32MB', true),
           set_config('jit', 'off', true)
"""
"""From here on the transaction sees what the token reaches. Compiling would cost more than these statements do."""

READY = """
    SELECT d.facets FROM engine.document d, engine.posting, engine.facet, engine.passage, engine.statistics LIMIT 0
"""
"""It fails where setup_search has not made all of them."""

IN_REACH = """
    p.tenant_id = %(tenant)s AND p.kind = ANY (%(kinds)s)
    AND (%(subject)s::uuid IS NULL OR p.subject_id = %(subject)s OR p.subject_id IS NULL)
    AND (p.compartments IS NULL OR p.compartments && %(compartments)s::text[])
"""
"""The first wall: what the query itself asks for, of places p."""

PLACES = f"""
    SELECT coalesce(array_agg(p.no), '{{}}'), coalesce(array_agg(p.no) FILTER (WHERE p.state = 'open'), '{{}}'),
           coalesce(sum(s.documents), 0)::bigint,
           coalesce(sum(s.turn_length), 0)::float8, coalesce(sum(s.window_length), 0)::float8,
           (SELECT greatest(c.reltuples, 0)::bigint FROM pg_class c WHERE c.oid = 'engine.document'::regclass)
    FROM engine.place p LEFT JOIN engine.statistics s ON s.place_no = p.no
    WHERE {IN_REACH} AND p.state = ANY (%(states)s::text[])
        AND (p.subject_id IS NOT NULL OR p.kind = 'catalog' OR NOT %(own_only)s)
"""

FREQUENCIES = """
    SELECT p.term, count(*) FILTER (WHERE p.turn_frequency > 0), count(*) FILTER (WHERE p.window_frequency > 0)
    FROM engine.posting p
    WHERE p.place_no = ANY (%(places)s::integer[]) AND p.term = ANY (%(terms)s::text[])
        AND p.document_no <> ALL (%(without)s::bigint[])
    GROUP BY p.term
"""

NUMBERS = """
    SELECT coalesce(array_agg(d.no), '{}') FROM engine.document d
    WHERE d.tenant_id = %(tenant)s AND d.kind = ANY (%(kinds)s) AND d.id = ANY (%(ids)s::uuid[])
        AND d.place_no = ANY (%(places)s::integer[])
"""

SCAN = """
    SELECT d.id, d.version FROM engine.document d
    WHERE d.tenant_id = %s AND d.kind = %s AND d.id > %s AND d.place_no IS NOT NULL ORDER BY d.id LIMIT %s
"""

TENANTS = """
    SELECT DISTINCT p.tenant_id FROM engine.place p
    WHERE p.kind = %s AND EXISTS (SELECT FROM engine.document d WHERE d.place_no = p.no)
"""

K1_B = K1 * B
_K1_REST = f"{K1 * (1 - B):.6g}::float8"

_SCORED = f"""
    SELECT p.document_no AS no, sum(
        t.turn_weight * p.turn_frequency
            / (p.turn_frequency + {_K1_REST} + %(turn_slope)s::float8 * p.turn_length)
        + t.window_weight * p.window_frequency
            / (p.window_frequency + {_K1_REST} + %(window_slope)s::float8 * p.window_length)
    ) AS lexical, array_agg(t.term) FILTER (WHERE t.rare AND p.turn_frequency > 0) AS rare_terms
    FROM engine.posting p
    JOIN unnest(%(terms)s::text[], %(turn_weights)s::float8[], %(window_weights)s::float8[], %(rare)s::boolean[])
        AS t (term, turn_weight, window_weight, rare) ON t.term = p.term
    WHERE p.place_no = ANY (%(places)s::integer[]) AND p.document_no <> ALL (%(without)s::bigint[])
"""
"""The slopes are k1 b / average length, the weights hold the idf. Numeric would be slow: float8."""

SCORES = f"{_SCORED} AND p.document_no = ANY (%(nos)s::bigint[]) GROUP BY p.document_no"

POOL = """
    SELECT d.no, d.id, d.kind, d.session_id, d.author,
           CASE WHEN vector_dims(d.embedding) = vector_dims(%(vector)s::halfvec)
                THEN 1 - (d.embedding <=> %(vector)s::halfvec) END
    FROM engine.document d WHERE d.no = ANY (%(nos)s::bigint[]) AND d.place_no = ANY (%(places)s::integer[])
"""


PASSAGES = """
    SELECT p.document_no, max(1 - (p.embedding <=> %(vector)s::halfvec)) FROM engine.passage p
    WHERE p.document_no = ANY (%(nos)s::bigint[]) AND p.place_no = ANY (%(places)s::integer[])
        AND vector_dims(p.embedding) = vector_dims(%(vector)s::halfvec)
    GROUP BY p.document_no
"""


def lexical_leg(where: Where, *, with_author: bool) -> str:
    """Return the lexical leg's statement; documents are looked at only where something is asked of them."""
    if asks_every_document(where):
        kept, among = f" JOIN engine.document d ON d.no = s.no AND {restrictions(where)}", ""
    else:
        kept = ""
        among = f"""
            AND (p.place_no = ANY (%(open_places)s::integer[])
                 OR EXISTS (SELECT FROM engine.document d WHERE d.no = p.document_no AND {restrictions(where)}))
        """
    scored = f"SELECT s.no, s.lexical, s.rare_terms FROM ({_SCORED} {among} GROUP BY p.document_no) s{kept}"
    if not with_author:
        return f"{scored} ORDER BY s.rare_terms IS NOT NULL DESC, s.lexical DESC, s.no LIMIT %(candidates)s"
    # Whoever is short of the last by more than the bonus cannot pass it, so that few authors are looked up.
    return f"""
        WITH scored AS MATERIALIZED ({scored}), last AS (
            SELECT lexical FROM scored ORDER BY lexical DESC LIMIT 1 OFFSET %(candidates)s::integer - 1
        )
        SELECT s.no, s.lexical, s.rare_terms FROM scored s JOIN engine.document d ON d.no = s.no
        WHERE s.rare_terms IS NOT NULL OR s.lexical >= coalesce((SELECT lexical FROM last), 0) - %(own_bonus)s::float8
        ORDER BY s.rare_terms IS NOT NULL DESC,
            s.lexical + CASE WHEN d.author = %(author)s THEN %(own_bonus)s::float8 ELSE 0 END DESC, s.no
        LIMIT %(candidates)s
    """
