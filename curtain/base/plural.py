"""Counts in sentences."""


def count_of(count: int, singular: str, many: str = "") -> str:
    """“1 session”, “2 sessions”; `many` where it is not the same word with an s."""
    return f"{count} {singular if count == 1 else many or singular + 's'}"


def are(count: int, singular: str, many: str = "") -> str:
    """“1 session is”, “2 sessions are”."""
    return f"{count_of(count, singular, many)} {'is' if count == 1 else 'are'}"


def were(count: int, singular: str, many: str = "") -> str:
    """“1 session was”, “2 sessions were”."""
    return f"{count_of(count, singular, many)} {'was' if count == 1 else 'were'}"
