"""The admin's pages about consolidation; importing this registers them."""

from consolidation.admin import decisions, reviews, runs

__all__ = ["decisions", "reviews", "runs"]
