"""Canned messages: suggestion, choice, panel."""
