"""Both journals folded into turns, and figures read from them."""
