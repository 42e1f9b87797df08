"""Several people at one session: what decides who holds which part, and the connections between their chairs."""
