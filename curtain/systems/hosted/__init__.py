"""Systems that run in a process of ours: our NL tool, a served model, answers from a file, and plug-ins."""
