"""Columns of real numbers under tolerance."""
