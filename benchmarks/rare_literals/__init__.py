"""Codes and numbers that one record has: whoever asks by one wants that record, first."""
