"""What practice brings: a command, a window, what erasing takes out, and how good each wizard is."""

from curtain.ports.companion import Companion

COMPANION = Companion(
    name="practice",
    about="Practice for wizards over recorded turns.",
    commands={
        "Run": {
            "train": (
                "curtain_practice.train:train",
                "Practise as a wizard with recorded turns at the real desk, each reply judged at once.",
            )
        }
    },
    week={"Prepare": {"train": "Practise as a wizard"}},
    windows={"training": "curtain_practice.window"},
    erases="curtain_practice.sittings:forget_speaker",
    levels="curtain_practice.sittings:levels_in",
)
