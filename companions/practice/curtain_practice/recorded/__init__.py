"""Practice at the desk: recorded turns in the subject's place."""
