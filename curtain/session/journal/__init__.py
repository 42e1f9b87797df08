"""Append-only event files with a checksum in each line."""
