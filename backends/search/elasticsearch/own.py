"""What is used of Elasticsearch's own: asked for by a setting, and found by the probe."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from elasticsearch import Elasticsearch

from backends.errors import BackendError, Unavailable
from backends.search.changes import IndexDefinition
from backends.search.elasticsearch.client import translated
from backends.search.elasticsearch.inference import embedded, reranked
from backends.search.elasticsearch.parts import Parts
from backends.search.elasticsearch.probe import probe
from backends.search.elasticsearch.prober import Prober
from backends.search.native import MEANING, RERANK, SEMANTIC, Capabilities, Native

log = logging.getLogger(__name__)

TIMEOUT_S = 3.0
"""An answer waits for an inference endpoint; without it there is one all the same."""
PROBE_TIMEOUT_S = 5.0
"""Of each request; the first question of a process waits for the probe."""


class Own(Prober):
    """The features of one cluster, under the site's own credential."""

    def __init__(self, client: Elasticsearch, native: Native, parts: Parts) -> None:
        super().__init__(self._probed, native)
        self._parts = parts
        self._client = client
        self._hasty = client.options(request_timeout=TIMEOUT_S)
        self._native = native

    def _probed(self) -> Capabilities:
        parts = self._parts
        patient = self._client.options(request_timeout=PROBE_TIMEOUT_S)
        return probe(patient, self._native, by_document=parts.by_document, privileges=parts.privileges)

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the scores of the endpoint. Raises Unavailable, where it does not work; Rejected; Refused."""
        if not self.works(RERANK):
            raise Unavailable(f"the inference endpoint {self._native.rerank} was tried and does not work")
        with translated():
            return reranked(self._hasty, self._native.rerank, question, texts)

    def meaning(self, text: str) -> list[float] | None:
        """Return a question's vector by the model of semantic_text; None where it does not work, or is away."""
        if not self.works(SEMANTIC):
            return None
        try:
            with translated():
                return embedded(self._hasty, self._native.semantic, text)
        except BackendError as error:
            log.warning("semantic_text is done without: %s", error)
            return None

    def of(self, definition: IndexDefinition) -> IndexDefinition:
        """Return an index without semantic_text, where that was asked for and does not work."""
        properties = definition.mapping["properties"]
        if MEANING not in properties or self.works(SEMANTIC):
            return definition
        left = {name: field for name, field in properties.items() if name != MEANING}
        return replace(definition, mapping={**definition.mapping, "properties": left})
