"""One sitting at the subject's station: what it holds, its states, and what is seen of them."""
