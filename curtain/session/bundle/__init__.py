"""The folder of one session: its files, checks, repair and identity."""
