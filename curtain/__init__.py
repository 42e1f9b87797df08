"""What the two stations share: answers, sessions, sound, the link, the desk."""
