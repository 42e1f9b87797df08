"""The commands that import and publish."""
