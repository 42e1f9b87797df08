"""The commands under “Study and database”."""
