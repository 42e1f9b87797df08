"""Language models that are served."""
