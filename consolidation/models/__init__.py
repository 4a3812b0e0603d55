"""Models of the consolidation room."""

from consolidation.models.decision import Decision
from consolidation.models.receipt import Receipt
from consolidation.models.review_item import ReviewItem
from consolidation.models.run import Run

__all__ = ["Decision", "Receipt", "ReviewItem", "Run"]
