"""A scripted session with the two real stations, and what it needs."""
