"""What the wizard's station decides: no widgets, no page, no panel."""
