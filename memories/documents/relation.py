"""The searched document of a relation."""

from django_elasticsearch_dsl.registries import registry

from backends.search import names
from memories.documents.searched import SearchedDocument
from memories.models import Relation

GENERATION = 1


@registry.register_document  # without it prepare() is empty
class RelationDocument(SearchedDocument):
    """One relation as it is searched, as a sentence."""

    class Index:
        """The concrete index; searches and sync go through its aliases."""

        name = names.index_name(names.RELATION, GENERATION)

    class Django:
        """The row it is made of."""

        model = Relation
