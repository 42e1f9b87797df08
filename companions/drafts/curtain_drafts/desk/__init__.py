"""The NL tool at the wizard's desk."""
