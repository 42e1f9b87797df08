"""The connections between the session's wizard station and other chairs."""
