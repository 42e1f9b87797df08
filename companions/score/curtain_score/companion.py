"""What scoring brings: comparing and scoring files of answers."""

from curtain.ports.companion import Companion

COMPANION = Companion(
    name="score",
    about="Answers, compared and scored.",
    commands={
        "Evaluation": {
            "compare": (
                "curtain_score.commands.answers:compare",
                "Judge an answer. Exit 0 correct, 1 incorrect or malformed, 2 unreadable input, 3 no answer, "
                "4 undecided.",
            ),
            "score": (
                "curtain_score.commands.answers:score",
                "Score a system, or compare two: right, wrong, no answer, weighted error.",
            ),
        }
    },
    week={"Evaluate": {"score": "Score a system’s answers", "compare": "Compare an answer with its reference"}},
)
