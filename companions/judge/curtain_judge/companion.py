"""What judging brings: packets of pairs for judges, their window, and how far judges agree."""

from curtain.ports.companion import Companion, Family

JUDGE = Family(
    "Have judges rate queries and responses, and measure how far they agree.",
    {
        "open": (
            "curtain_judge.command:open_packet",
            "Judge the pairs of a packet; “curtain judge PACKET” does the same.",
        ),
        "adjudicate": (
            "curtain_judge.command:adjudicate",
            "Rule on the pairs on which judges differ; what they said is hidden until you ask for it.",
        ),
        "new": (
            "curtain_judge.command:run_new",
            "Make a packet for each judge: pairs of query and response, without a word on the condition.",
        ),
        "merge": (
            "curtain_judge.command:run_merge",
            "Bring the labels of packets together, and say how far each judge has come.",
        ),
        "agreement": (
            "curtain_judge.command:run_agreement",
            "Measure how far judges agree: unanimity, kappa, alpha, AC1, with intervals.",
        ),
    },
    first="open",
)

COMPANION = Companion(
    name="judge",
    about="Judges rate queries and responses.",
    commands={"Evaluation": {"judge": JUDGE}},
    week={
        "Evaluate": {
            "judge new": "Make packets for judges",
            "judge open": "Judge a packet",
            "judge merge": "Bring the judges’ packets together",
            "judge agreement": "Measure how far judges agree",
            "judge adjudicate": "Rule where judges differ",
        }
    },
    windows={"judge": "curtain_judge.window"},
)
