"""The utterance view: what a row of the corpus is, and how sessions become rows."""
