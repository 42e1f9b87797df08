"""The windows over the home window, and how everything is shown."""
