"""Altered copies of a database: an answer that is right by chance on one of them is wrong on the others."""
