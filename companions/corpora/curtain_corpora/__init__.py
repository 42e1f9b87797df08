"""Corpora in the formats of others: written, read back, published."""
