"""The searched document of an episodic memory."""

from django_elasticsearch_dsl.registries import registry

from backends.search import names
from memories.documents.searched import SearchedDocument
from memories.models import Memory

GENERATION = 1


@registry.register_document  # without it prepare() is empty
class EpisodicDocument(SearchedDocument):
    """One user turn as it is searched, with the lines around it."""

    class Index:
        """The concrete index; searches and sync go through its aliases."""

        name = names.index_name(names.EPISODIC, GENERATION)

    class Django:
        """The row it is made of."""

        model = Memory
