"""A pack as a value: tables, words, entities; its check, and whether this machine trusts it."""
