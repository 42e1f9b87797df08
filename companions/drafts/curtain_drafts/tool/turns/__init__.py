"""Questions that go on from the turn before: the same operators on its statement."""
