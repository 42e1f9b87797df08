"""Questionnaires as widgets, for both stations."""
