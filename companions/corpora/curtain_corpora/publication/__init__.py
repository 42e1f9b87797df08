"""What a public repository asks for beside the data."""
