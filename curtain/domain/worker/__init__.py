"""SQL in a child process that can be killed, and its answer."""
