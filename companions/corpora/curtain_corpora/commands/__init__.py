"""The commands that import, pool and publish."""
