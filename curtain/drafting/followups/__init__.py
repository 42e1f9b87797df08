"""Queries that go on from the turn before: statements changed by what they say."""
