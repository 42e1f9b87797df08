"""The drafter that comes with Curtain: answered examples, schema rules and the turn before, ranked as one list."""
