"""Drafts of SQL at the wizard's desk."""
