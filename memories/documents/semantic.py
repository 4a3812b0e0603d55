"""The searched document of a semantic memory."""

from django_elasticsearch_dsl.registries import registry

from backends.search import names
from memories.documents.searched import SearchedDocument
from memories.models import Memory

GENERATION = 1


@registry.register_document  # without it prepare() is empty
class SemanticDocument(SearchedDocument):
    """One assertion as it is searched."""

    class Index:
        """The concrete index; searches and sync go through its aliases."""

        name = names.index_name(names.SEMANTIC, GENERATION)

    class Django:
        """The row it is made of."""

        model = Memory
