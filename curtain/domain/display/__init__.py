"""From the rows of an answer to what the subject reads of it."""
