"""What every room may use: opening files that somebody names, and text for a terminal. Imports nothing of ours."""
