"""One ranker and one calibration for the candidates of all sources."""
