"""Give memories the tokens that late interaction compares."""

from collections.abc import Sequence

from backends.token_encoders.base import TokenEncoder
from backends.token_encoders.packing import pack
from memories.lines import line
from memories.models import Memory, MemoryTokens
from tenants.services.open_scope import open_operator


def encode_rows(rows: Sequence[Memory], encoder: TokenEncoder) -> None:
    """Encode and store; a row that is gone meanwhile is passed over.

    A text in a language that the model does not know gets no tokens, and is not looked at again: it is found without.
    Raises Unavailable, as the encoder does.
    """
    packed = {row.id: _packed(row, encoder) for row in rows}
    with open_operator():
        held = Memory.objects.select_for_update(no_key=True).filter(id__in=packed)
        there = set(held.order_by("id").values_list("id", flat=True))
        MemoryTokens.objects.bulk_create(
            [
                MemoryTokens(
                    tenant_id=row.tenant_id,
                    subject_id=row.subject_id,
                    memory_id=row.id,
                    model=encoder.model,
                    vectors=packed[row.id],
                )
                for row in rows
                if row.id in there
            ],
            ignore_conflicts=True,
        )


def _packed(row: Memory, encoder: TokenEncoder) -> bytes:
    """Return a row's tokens: of the line of a turn, without its date; else of its text."""
    text = line(row.author, row.text) if row.turn_id is not None else row.text
    if not encoder.reads(text):
        return b""
    return pack(encoder.passage(text))
