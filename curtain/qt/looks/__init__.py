"""What a person may choose about the look of a window, and what shows where the keyboard is."""
