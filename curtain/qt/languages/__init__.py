"""The windows in other languages: one file of sentences a language."""
