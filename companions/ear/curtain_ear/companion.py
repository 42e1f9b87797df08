"""What the ear brings: Whisper as the ear of `[asr]`, and a command that transcribes a study."""

from curtain.ports.companion import Companion, Family

COMPANION = Companion(
    name="ear",
    about="First transcriptions by Whisper, on this machine alone.",
    commands={
        "Corpus": {
            "ear": Family(
                "Transcribe with the recogniser.",
                {
                    "transcribe": (
                        "curtain_ear.command:transcribe",
                        "Transcribe the turns of a study that nobody has, as drafts for annotators, and place all "
                        "words in time.",
                    )
                },
            )
        }
    },
    week={"Annotate": {"ear transcribe": "Have a recogniser transcribe the turns"}},
    ear="curtain_ear.whisper_ear:EAR",
)
