"""Drafts from the schema alone: what words name in it, and the statement that they make together."""
