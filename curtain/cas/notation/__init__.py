"""Answers as text: the three dialects, reading and writing."""
