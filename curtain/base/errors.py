"""The one base class of problems that are told to a person. It knows nothing and imports nothing."""


class CurtainError(Exception):
    """A problem told in one plain sentence: what happened, where, and what to do."""
