"""What windows have in common, and how one becomes a program of its own."""
