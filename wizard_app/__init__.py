"""The wizard's station."""
