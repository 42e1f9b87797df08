"""The windows in which a corpus is annotated and judged."""
