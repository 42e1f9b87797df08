"""One session at the subject's station: journal, spool, what stands on the screen. No widgets."""
