"""Tables of utterances, and data-set hubs."""
