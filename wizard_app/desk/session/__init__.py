"""One session: its files, its link to the subject, its audio. No widgets."""
