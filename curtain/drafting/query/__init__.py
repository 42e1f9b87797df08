"""A query read: its words and values, what they name, compare, deny and join, and whether SQL says the same."""
