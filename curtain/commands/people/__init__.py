"""The commands under “People”: consent, retention and erasure."""
