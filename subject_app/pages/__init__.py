"""The pages of the subject's window and their texts."""
