"""Predicted SQL, judged by its results on the databases of a benchmark."""
