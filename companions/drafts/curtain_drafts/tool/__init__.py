"""The NL tool: ranked SQL drafts from a query, its lexicon and answered examples (papers/000 section 6.3)."""
