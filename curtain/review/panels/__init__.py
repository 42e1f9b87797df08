"""The panels of the annotator's pages."""
