"""One writer per export format."""
