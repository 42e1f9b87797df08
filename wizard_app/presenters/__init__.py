"""What connects the desk with the window: each reads controllers and shows a page."""
