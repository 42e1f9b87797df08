"""First transcriptions from the audio, with the optional extra asr: Whisper in a process of its own."""
