"""The commands under “Corpus”: annotation, splits and exports."""
