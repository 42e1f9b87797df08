"""The subject's end: all of this companion that the subject's station loads."""
