"""The parts of the home window: they show and ask."""
