"""What crosses the curtain: messages, framing, hello, acks (sans-I/O); `qt` is the rim with the sockets."""
