"""Several people behind the curtain: who holds which part of which turn. Pure: no files, no clock, no sockets."""
