"""What annotating does, without widgets."""
