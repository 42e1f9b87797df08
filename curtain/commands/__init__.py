"""The command line: arguments in, calls to the rooms, text out. Nobody imports this room."""
