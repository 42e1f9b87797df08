"""One writer per export format, and the registry that names them."""
