"""Devices, recorder, takes, levels, playback. No Qt; the only room that imports sounddevice."""
