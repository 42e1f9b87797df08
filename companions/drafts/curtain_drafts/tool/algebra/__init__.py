"""Statements as values: queries, predicates and paths, read from SQL and written as SQL."""
