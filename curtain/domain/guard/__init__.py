"""Which statements may run."""
