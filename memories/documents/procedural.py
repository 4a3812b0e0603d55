"""The searched document of a procedural memory."""

from django_elasticsearch_dsl.registries import registry

from backends.search import names
from memories.documents.searched import SearchedDocument
from memories.models import Memory

GENERATION = 1


@registry.register_document  # without it prepare() is empty
class ProceduralDocument(SearchedDocument):
    """One playbook as it is searched, trigger and steps."""

    class Index:
        """The concrete index; searches and sync go through its aliases."""

        name = names.index_name(names.PROCEDURAL, GENERATION)

    class Django:
        """The row it is made of."""

        model = Memory
