"""From the minimum statement to the maximum answer."""
