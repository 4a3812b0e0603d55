"""Whether a turn is recalled by the very next request, while nothing works in the background."""
