"""First transcriptions from the audio, with the optional extra asr."""
