"""The panel of drafts: rows, chips, values."""
