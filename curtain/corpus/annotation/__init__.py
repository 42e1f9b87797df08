"""Annotation layers, their rules, and how far annotators agree."""
