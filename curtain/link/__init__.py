"""What crosses the curtain: messages, framing, hello, acks (sans-I/O); `qt` opens the sockets."""
