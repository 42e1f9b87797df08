"""The commands of drafts."""
