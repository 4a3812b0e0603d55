"""The searched document of an entity."""

from django_elasticsearch_dsl.registries import registry

from backends.search import names
from memories.documents.searched import SearchedDocument
from memories.models import Entity

GENERATION = 1


@registry.register_document  # without it prepare() is empty
class EntityDocument(SearchedDocument):
    """One entity as it is searched, by all its names."""

    class Index:
        """The concrete index; searches and sync go through its aliases."""

        name = names.index_name(names.ENTITY, GENERATION)

    class Django:
        """The row it is made of."""

        model = Entity
