"""The commands under “Evaluation”: answers, systems, judges, tests and reports."""
