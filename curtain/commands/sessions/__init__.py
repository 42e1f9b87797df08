"""The commands under “Sessions”: what a session holds, and whether it is whole."""
