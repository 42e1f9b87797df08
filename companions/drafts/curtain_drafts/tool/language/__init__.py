"""A query analysed: its words, its values, numbers, times and dates."""
