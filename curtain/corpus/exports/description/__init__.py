"""What an export says about itself."""
