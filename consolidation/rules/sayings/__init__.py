"""Sayings: sentences in which somebody tells of himself what lasts, kept in his own words where no rule reads them."""
