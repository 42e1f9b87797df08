"""The home window: everything a lab does with Curtain, without a terminal."""
