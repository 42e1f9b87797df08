"""Building a pack and its database from files."""
