"""The analysis chain of backends.search.analysis, as Elasticsearch's index settings say it."""

from typing import Any

from backends.search.elasticsearch.scoring import similarities
from backends.search.tokens import PAIRED, PAIRS
from backends.search.words import NEWER_STEMS, STOP_WORDS

INDEX_ANALYZER = "mneme_index_2"
"""Of what is stored; questions are analysed here, by backends.search.analysis, and asked term by term.

A change of the chain is another name: an index that analyses as before is then told apart, and must be made anew.
"""

_CHAIN = [
    "cjk_width",
    "lowercase",
    "mneme_possessive",
    "mneme_cjk_pairs",
    "mneme_stop",
    "mneme_ologists",
    "mneme_newer_stems",
    "mneme_stem",
]


def analysis_settings() -> dict[str, Any]:
    """Return an index's settings: analysis, refresh, and how deletes are remembered."""
    return {
        "number_of_shards": 1,
        "auto_expand_replicas": "0-1",  # none on a single node, one in a cluster
        "refresh_interval": "1s",  # explicit: an idle shard without it stops refreshing
        "gc_deletes": "30d",  # a late write must find the tombstone; the record is read before every write as well
        "merge": {"policy": {"expunge_deletes_allowed": 0}},
        "similarity": similarities(),
        "analysis": {
            "filter": {
                "mneme_possessive": {"type": "stemmer", "language": "possessive_english"},
                "mneme_cjk_pairs": {"type": "cjk_bigram"},
                "mneme_stop": {"type": "stop", "stopwords": sorted(STOP_WORDS)},
                "mneme_ologists": {"type": "pattern_replace", "pattern": "ogists?$", "replacement": "og"},
                "mneme_newer_stems": {"type": "stemmer_override", "rules": _newer_stems()},
                "mneme_stem": {"type": "stemmer", "language": "porter2"},
            },
            "char_filter": {
                "mneme_pairs": {"type": "pattern_replace", "pattern": PAIRED, "replacement": PAIRS},
            },
            "analyzer": {
                INDEX_ANALYZER: {
                    "type": "custom",
                    "char_filter": ["mneme_pairs"],
                    "tokenizer": "standard",
                    "filter": _CHAIN,
                }
            },
        },
    }


def _newer_stems() -> list[str]:
    return [f"{', '.join(words.split())} => {stem}" for stem, words in NEWER_STEMS.items()]
