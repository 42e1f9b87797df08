"""The keys of the wizard's window: their table, and the guard of keys that were held before."""
