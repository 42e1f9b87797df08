"""Shared Qt: background work, problems, style, widgets, the driver."""
