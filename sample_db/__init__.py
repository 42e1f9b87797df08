"""Domain packs: one folder each."""
