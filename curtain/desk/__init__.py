"""Shared Qt: background work, problems, style, widgets, and the driver that presses a station's keys."""
