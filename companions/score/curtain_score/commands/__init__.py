"""The commands that score."""
