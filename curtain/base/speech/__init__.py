"""Speech as it is written down."""
