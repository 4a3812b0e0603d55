"""The analysis chain of backends.search.analysis, as Elasticsearch's index settings say it."""

from typing import Any

from backends.search.analysis import question_stops
from backends.search.words import STOP_WORDS

INDEX_ANALYZER = "mneme_index"
SEARCH_ANALYZER = "mneme_search"
"""As the index analyzer, and drops question words after stemming."""

_CHAIN = ["cjk_width", "lowercase", "mneme_possessive", "mneme_cjk_pairs", "mneme_stop", "mneme_stem"]


def analysis_settings() -> dict[str, Any]:
    """Return an index's settings: analysis, refresh, and how deletes are remembered."""
    return {
        "number_of_shards": 1,
        "number_of_replicas": 0,
        "refresh_interval": "1s",  # explicit: an idle shard without it stops refreshing
        "gc_deletes": "30d",  # a late write must find the tombstone; the record is read before every write as well
        "merge": {"policy": {"expunge_deletes_allowed": 0}},
        "analysis": {
            "filter": {
                "mneme_possessive": {"type": "stemmer", "language": "possessive_english"},
                "mneme_cjk_pairs": {"type": "cjk_bigram"},
                "mneme_stop": {"type": "stop", "stopwords": sorted(STOP_WORDS)},
                "mneme_stem": {"type": "stemmer", "language": "porter2"},
                "mneme_question_stop": {"type": "stop", "stopwords": sorted(question_stops())},
            },
            "analyzer": {
                INDEX_ANALYZER: {"type": "custom", "tokenizer": "standard", "filter": _CHAIN},
                SEARCH_ANALYZER: {
                    "type": "custom",
                    "tokenizer": "standard",
                    "filter": [*_CHAIN, "mneme_question_stop"],
                },
            },
        },
    }
