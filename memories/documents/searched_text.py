"""The texts a row is found by."""

from memories.lines import dated, line
from memories.models import CatalogDocument, Entity, Memory, Relation

Row = Memory | Entity | Relation | CatalogDocument


def searched_text(row: Row) -> str:
    """Return the field `turn`, which is also what is embedded.

    A turn: its date, who said it, and what. A fact or a playbook: its text, with the name of what it is about.
    """
    if isinstance(row, Entity):
        return "; ".join([", ".join([row.name, *row.aliases]), row.entity_type])
    if isinstance(row, Relation):
        return f"{row.subject_entity.name} {row.predicate} {row.object_entity.name}"
    if isinstance(row, CatalogDocument):
        return "\n".join(part for part in (row.title, row.text) if part)
    if row.turn_id is not None and row.session_id is not None:
        return dated(line(row.author, row.text), row.valid_from)
    if row.entity is not None and row.entity.name.casefold() not in row.text.casefold():
        return f"{row.entity.name}: {row.text}"
    return row.text


def window_text(row: Row) -> str:
    """Return the field `window`: what stands around the text, and can be hidden from a key with this field.

    The date and the lines around a turn; an entity's attributes, behind its names; else the searched text itself.
    """
    if isinstance(row, Memory) and row.context:
        return dated(row.context, row.valid_from)
    if isinstance(row, Entity):
        return "; ".join([searched_text(row), *(f"{name}: {value}" for name, value in row.attributes.items())])
    return searched_text(row)
