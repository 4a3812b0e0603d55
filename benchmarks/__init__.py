"""Measurements through the public API, on real parts."""
