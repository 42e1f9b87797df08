"""Scoring systems: pairs, score pages, comparison of two systems."""
