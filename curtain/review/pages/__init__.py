"""The pages of the annotator's window."""
