"""What the core offers to companions: each port says what to give, and nothing here knows a companion."""
