"""The panels of the working page."""
