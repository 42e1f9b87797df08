"""Running a system over a file of questions, without a subject."""
