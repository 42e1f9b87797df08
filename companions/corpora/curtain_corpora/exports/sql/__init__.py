"""Formats for text-to-SQL."""
