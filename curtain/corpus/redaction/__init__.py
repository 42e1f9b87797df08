"""What may leave: hidden words, pseudonyms, erasure."""
