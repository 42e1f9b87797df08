"""From corpora of other notations to sessions of a study."""
