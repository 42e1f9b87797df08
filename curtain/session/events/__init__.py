"""Facts, by author. The subject's station imports `subject` alone."""
