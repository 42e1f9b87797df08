"""The commands under “Run”: stations, windows, rehearsals, practice, and what is looked at before a session."""
