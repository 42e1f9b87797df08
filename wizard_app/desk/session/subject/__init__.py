"""Copies of the subject’s record and sound, how much may come, its forms, and what is sent to it."""
