"""A study's settings, message sets and the names of sessions."""
