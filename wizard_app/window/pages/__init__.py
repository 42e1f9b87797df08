"""The pages and dialogs of the wizard's window."""
