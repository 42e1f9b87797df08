"""The second rim of the link: TLS 1.3 between two machines that were paired with a code."""
