"""Statements from the schema alone: the names in a query, a sketch of what it asks, and a query for it."""
