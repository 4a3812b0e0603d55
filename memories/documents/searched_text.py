"""The texts a row is found by."""

from memories.lines import dated, line, stub
from memories.models import CatalogDocument, Entity, Memory, Relation
from memories.models.memory import Status
from memories.passages import LONG, Span

TITLE_SHOWN = 60
"""Characters of an author, a title or a name before each passage, so that the passage itself is read whole."""

Row = Memory | Entity | Relation | CatalogDocument


def searched_text(row: Row) -> str:
    """Return the field `turn`, which is also what is embedded.

    A turn: its date, who said it, and what. A fact or a playbook: its text, with the name of what it is about.
    Of what is archived only the first words.
    """
    if isinstance(row, Entity):
        return "; ".join([", ".join([row.name, *row.aliases]), row.entity_type])
    if isinstance(row, Relation):
        return f"{row.subject_entity.name} {row.predicate} {row.object_entity.name}"
    if isinstance(row, CatalogDocument):
        return "\n".join(part for part in (row.title, row.text) if part)
    text = stub(row.text) if is_archived(row) else row.text
    if row.turn_id is not None and row.session_id is not None:
        return dated(line(row.author, text), row.valid_from)
    if row.entity is not None and row.entity.name.casefold() not in row.text.casefold():
        return f"{row.entity.name}: {text}"
    return text


def passage_text(row: Memory | CatalogDocument, span: Span) -> str:
    """Return what is embedded of a passage: itself, behind what makes it plain whose it is and what about."""
    part = row.text[slice(*span)].strip()
    if isinstance(row, CatalogDocument):
        return "\n".join(piece for piece in (row.title[:TITLE_SHOWN], part) if piece)
    if row.turn_id is not None and row.session_id is not None:
        return dated(line(row.author[:TITLE_SHOWN], part), row.valid_from)
    return f"{row.entity.name[:TITLE_SHOWN]}: {part}" if row.entity is not None else part


def is_long(row: object) -> bool:
    """Say whether a row has passages: long memories and documents of the catalog, unless archived."""
    return isinstance(row, Memory | CatalogDocument) and len(row.text) > LONG and not is_archived(row)


def is_archived(row: object) -> bool:
    """Say whether a row is a memory that was archived: then the engine holds a stub of it, without a vector."""
    return isinstance(row, Memory) and row.status == Status.ARCHIVED


def window_text(row: Row) -> str:
    """Return the field `window`: what stands around the text, and can be hidden from a key with this field.

    The date and the lines around a turn; an entity's attributes, behind its names; else the searched text itself.
    """
    if isinstance(row, Memory) and row.context and not is_archived(row):
        return dated(row.context, row.valid_from)
    if isinstance(row, Entity):
        return "; ".join([searched_text(row), *(f"{name}: {value}" for name, value in row.attributes.items())])
    return searched_text(row)
