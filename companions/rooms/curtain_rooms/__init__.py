"""Several people at one session, and stations on other computers."""
