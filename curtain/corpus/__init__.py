"""From bundles to a corpus: annotation layers, the utterance view, splits, one writer per export format."""
