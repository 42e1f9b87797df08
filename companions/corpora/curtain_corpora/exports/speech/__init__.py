"""Formats for recognisers and for tools that show speech."""
