"""A query read: its words, the values in them, what they name, compare, deny and join. Knows no SQL."""
