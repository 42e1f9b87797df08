"""Other instruments beside a session: markers for the Lab Streaming Layer."""
