"""Practice at the real desk: recorded turns in place of a subject, each reply judged at once."""
