"""The commands under “Corpus”: import, annotation, splits, pools and exports."""
