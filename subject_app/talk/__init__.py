"""The talk key, the microphone and the takes."""
