"""What the home window decides: no widgets here."""
