"""Receipt: what one action did to memories, by id, so that it can be told and undone."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class Doing(StrEnum):
    """One thing that was done, to `row`; `other` is what it was done with.

    LEARNED, REPEATED: a memory. SUPERSEDED: row is in the place of other. CORRECTED, ENDED: row is the copy of other.
    RETRACTED: row; before: its status. REVIVED, RESTORED: row is the copy, other the original.
    VOIDED: the edges of provenance in rows. WEAKENED: row lost some evidence. OUTCOME: one was taken from the
    playbook row; before: success or failure. RELATION: row was closed. REOPENED: row is a relation written anew.
    UNTOLD: the relation row has one less who told it.
    MERGED: the entity row into other; before: which of its names and attributes other took, by place. MOVED: the
    memories in rows went along. POINTED: the relation row; before: which of its ends. FOLDED: the relation row was
    closed; other has its weight, which is before.
    """

    LEARNED = "learned"
    REPEATED = "repeated"
    SUPERSEDED = "superseded"
    CORRECTED = "corrected"
    ENDED = "ended"
    RETRACTED = "retracted"
    REVIVED = "revived"
    RESTORED = "restored"
    VOIDED = "voided"
    WEAKENED = "weakened"
    OUTCOME = "outcome"
    RELATION = "relation"
    REOPENED = "reopened"
    UNTOLD = "untold"
    MERGED = "merged"
    MOVED = "moved"
    POINTED = "pointed"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One line of a receipt."""

    doing: Doing
    row: UUID | None = None
    other: UUID | None = None
    before: str = ""
    rows: tuple[UUID, ...] = ()

    @property
    def of_relation(self) -> bool:
        """Say whether row is a relation's."""
        return self.doing in {Doing.RELATION, Doing.REOPENED, Doing.UNTOLD}

    def listed(self) -> list[Any]:
        """Return it as it is stored."""
        return [
            self.doing.value,
            str(self.row) if self.row else None,
            str(self.other) if self.other else None,
            self.before,
            [str(row) for row in self.rows],
        ]

    @classmethod
    def of(cls, listed: list[Any]) -> Self:
        """Return what was stored."""
        doing, row, other, before, rows = listed
        return cls(
            doing=Doing(doing),
            row=UUID(row) if row else None,
            other=UUID(other) if other else None,
            before=before,
            rows=tuple(UUID(item) for item in rows),
        )


class ReceiptKind(models.TextChoices):
    """What was done: all that came of something was reverted, a correction in words, two entities made one."""

    REVERT = "revert"
    INTENT = "intent"
    MERGE = "merge"


class Receipt(TenantOwned):
    """One action. acts: in order; ids and codes, never text.

    subject: whose memories; null = of all users. verb: a revert's root (turn or memory), an intent's verb, or why
    entities were merged. method: which rule or model understood an intent. root_id: what was reverted, or the entity
    that went into another. No foreign key: the receipt outlives it. key_id: who asked; null = no key.
    """

    subject = reference(Subject, null=True)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    kind = models.CharField(max_length=16, choices=ReceiptKind)
    verb = models.CharField(max_length=16)
    method = models.CharField(max_length=128, default="")
    root_id = models.UUIDField(null=True)
    acts = models.JSONField(default=list)
    key_id = models.UUIDField(null=True)
    made_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="receipt_tenant_id"),
            models.CheckConstraint(condition=Q(kind__in=ReceiptKind.values), name="receipt_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    def done(self) -> list[Act]:
        """Return what was done, in order."""
        return [Act.of(listed) for listed in self.acts]


def stored(acts: Iterable[Act]) -> list[list[Any]]:
    """Return acts as a receipt keeps them."""
    return [act.listed() for act in acts]
