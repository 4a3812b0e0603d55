"""Who may see and do what: forced row-level security on every table, the owner included."""

SEARCHED = {
    "place": "no",
    "document": "place_no",
    "posting": "place_no",
    "facet": "place_no",
    "passage": "place_no",
    "statistics": "place_no",
}
"""Table -> its column that says the place."""


def _wall(table: str, place: str) -> str:
    return f"""
    DROP POLICY IF EXISTS reader ON engine.{table};
    DROP POLICY IF EXISTS operator ON engine.{table};
    CREATE POLICY reader ON engine.{table} FOR SELECT TO mneme_engine USING ({place} IN (SELECT engine.places()));
    CREATE POLICY operator ON engine.{table} TO mneme_operator USING (true) WITH CHECK (true);
    GRANT SELECT ON engine.{table} TO mneme_engine;
    GRANT SELECT, INSERT, UPDATE, DELETE ON engine.{table} TO mneme_operator;
    """


def _owned(table: str) -> str:
    """Return the wall's ground: nobody is exempt, and the owner's own functions see all."""
    return f"""
    ALTER TABLE engine.{table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE engine.{table} FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS owner ON engine.{table};
    CREATE POLICY owner ON engine.{table} TO mneme_owner USING (true) WITH CHECK (true);
    """


# A word that a hidden field alone has finds nothing, whatever is asked.
_WINDOW = """
    DROP POLICY IF EXISTS window_hidden ON engine.posting;
    CREATE POLICY window_hidden ON engine.posting AS RESTRICTIVE FOR SELECT TO mneme_engine
        USING (turn_frequency > 0 OR NOT (SELECT engine.hides('window')));
"""
_FACETS = """
    DROP POLICY IF EXISTS field_hidden ON engine.facet;
    CREATE POLICY field_hidden ON engine.facet AS RESTRICTIVE FOR SELECT TO mneme_engine
        USING (field <> ALL ((SELECT engine.hidden())::text[]));
"""

WALLS = (
    "".join(map(_owned, [*SEARCHED, "credential"]))
    + "".join(_wall(*item) for item in SEARCHED.items())
    + _WINDOW
    + _FACETS
)
