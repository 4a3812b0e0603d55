"""The searched document of a catalog document."""

from django_elasticsearch_dsl.registries import registry

from backends.search import names
from memories.documents.searched import SearchedDocument
from memories.models import CatalogDocument as CatalogRow

GENERATION = 1


@registry.register_document  # without it prepare() is empty
class CatalogDocument(SearchedDocument):
    """One document of the tenant's catalog as it is searched."""

    class Index:
        """The concrete index; searches and sync go through its aliases."""

        name = names.index_name(names.CATALOG, GENERATION)

    class Django:
        """The row it is made of."""

        model = CatalogRow
