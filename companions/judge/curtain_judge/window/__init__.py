"""The judge's window: pairs of query and response, rated with two keys (papers/004, "Log file evaluation")."""
