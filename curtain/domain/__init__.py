"""A database plus what its words mean; SQL run in a guarded child process."""
