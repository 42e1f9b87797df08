"""The drafter that comes with Curtain: what was learned, the schema and the turn before, weighed as one list."""
