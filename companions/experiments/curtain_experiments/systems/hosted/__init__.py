"""Systems that run in a process of ours: our NL tool, a served model, and plug-ins."""
