"""The principles of interpretation and what they look for in a statement."""
