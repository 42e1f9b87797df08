"""The timeline of a session: what home and annotator show of it."""
