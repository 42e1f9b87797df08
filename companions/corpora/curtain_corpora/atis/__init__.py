"""The files of an ATIS tree: their names, headers and notations, for writing and for reading."""
