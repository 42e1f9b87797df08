"""Files of lines, as scores read them."""
