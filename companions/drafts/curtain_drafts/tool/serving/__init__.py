"""Drafters at work: each in a process of its own, watched, its drafts checked and previewed."""
