"""A recogniser that errs on purpose: word errors at a set rate, the same for the same utterance."""
