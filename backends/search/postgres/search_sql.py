"""The search itself: one statement, both legs, every number filled in.

BM25 in Lucene's form, tf / (tf + k1 (1 - b + b * length / average)), without the (k1 + 1) factor. Document frequency,
count and average lengths are of the reach alone, so nobody else's writes change a score.
Source: Robertson & Zaragoza, The Probabilistic Relevance Framework, 2009; Lucene BM25Similarity.
"""

REACH = """
    {alias}.tenant_id = %(tenant)s AND {alias}.kind = ANY (%(kinds)s)
    AND (%(subject)s::uuid IS NULL OR {alias}.subject_id = %(subject)s OR {alias}.subject_id IS NULL)
    AND ({alias}.compartments IS NULL OR {alias}.compartments && %(compartments)s::text[])
"""

WHERE = """
    NOT d.removed
    AND (%(sessions)s::uuid[] IS NULL OR d.session_id = ANY (%(sessions)s))
    AND (%(agent)s::text IS NULL OR d.agent_id = %(agent)s)
    AND (%(valid_at)s::timestamptz IS NULL
         OR (d.valid_from <= %(valid_at)s AND (d.valid_to IS NULL OR d.valid_to > %(valid_at)s)))
"""

_LEXICAL = f"""
totals AS MATERIALIZED (
    SELECT coalesce(sum(s.documents), 0)::float8 AS documents,
           coalesce(sum(s.turn_length) / nullif(sum(s.documents), 0), 1)::float8 AS turn_average,
           coalesce(sum(s.window_length) / nullif(sum(s.documents), 0), 1)::float8 AS window_average
    FROM engine.statistics s WHERE {REACH.format(alias="s")}
), postings AS MATERIALIZED (
    SELECT p.term, p.document_no, p.turn_frequency::float8 AS turn_tf, p.window_frequency::float8 AS window_tf
    FROM engine.posting p WHERE p.term = ANY (%(terms)s) AND {REACH.format(alias="p")}
), frequencies AS MATERIALIZED (
    SELECT term, count(*) FILTER (WHERE turn_tf > 0) AS turn_df, count(*) FILTER (WHERE window_tf > 0) AS window_df
    FROM postings GROUP BY term
), scored AS MATERIALIZED (
    SELECT p.document_no AS no, sum(
        ln(1 + (t.documents - f.turn_df + 0.5) / (f.turn_df + 0.5))
        * p.turn_tf / (p.turn_tf + 1.2 * (0.25 + 0.75 * d.turn_length / t.turn_average))
        + %(window_weight)s * ln(1 + (t.documents - f.window_df + 0.5) / (f.window_df + 0.5))
        * p.window_tf / (p.window_tf + 1.2 * (0.25 + 0.75 * d.window_length / t.window_average))
    ) AS lexical, count(*) FILTER (WHERE f.turn_df <= %(rare_at_most)s AND p.turn_tf > 0) AS rare
    FROM postings p JOIN frequencies f USING (term) JOIN engine.document d ON d.no = p.document_no, totals t
    WHERE {WHERE}
    GROUP BY p.document_no
)"""

SEARCH = f"""
WITH {_LEXICAL}, lexical_leg AS (
    SELECT s.no FROM scored s JOIN engine.document d USING (no)
    ORDER BY s.rare > 0 DESC, s.lexical + CASE WHEN d.author = %(author)s THEN %(own_bonus)s ELSE 0 END DESC, d.id
    LIMIT %(candidates)s
), dense_leg AS (
    SELECT d.no FROM engine.document d
    WHERE %(vector)s::halfvec IS NOT NULL AND d.embedding IS NOT NULL AND {REACH.format(alias="d")} AND {WHERE}
    ORDER BY d.embedding <=> %(vector)s::halfvec, d.id
    LIMIT %(candidates)s
), pool AS (
    SELECT no FROM lexical_leg UNION SELECT no FROM dense_leg
)
SELECT d.id, d.kind, d.session_id, d.author, coalesce(s.lexical, 0) AS lexical,
       1 - (d.embedding <=> %(vector)s::halfvec) AS dense, coalesce(s.rare, 0) AS rare
FROM pool JOIN engine.document d USING (no) LEFT JOIN scored s USING (no)
WHERE {REACH.format(alias="d")}
"""

STATISTICS = f"""
SELECT (SELECT coalesce(sum(s.documents), 0) FROM engine.statistics s WHERE {REACH.format(alias="s")}),
       (SELECT coalesce(jsonb_object_agg(term, jsonb_build_array(turn_df, window_df)), '{{}}') FROM (
            SELECT p.term, count(*) FILTER (WHERE p.turn_frequency > 0) AS turn_df,
                   count(*) FILTER (WHERE p.window_frequency > 0) AS window_df
            FROM engine.posting p WHERE p.term = ANY (%(terms)s) AND {REACH.format(alias="p")} GROUP BY p.term
        ) counted)
"""
