"""From verdicts to figures: scores, intervals, comparison of systems."""
