"""Runs of scenarios: end-to-end measures, and the comparison of two systems (papers/004)."""
