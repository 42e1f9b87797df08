"""What the wizard hears: the output, live speech, and which take plays at a key."""
