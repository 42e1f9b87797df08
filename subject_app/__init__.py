"""The subject's station. It never imports anything that knows SQL."""
