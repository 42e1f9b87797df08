"""The one base class of problems that are shown to a person. It imports nothing."""


class CurtainError(Exception):
    """A problem in one plain sentence: what happened, where, and what to do."""
