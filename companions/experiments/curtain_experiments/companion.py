"""What experiments bring: the report on runs, systems without a subject, and the text of a preregistration."""

from curtain.ports.companion import Companion, Family

SYSTEM = Family(
    "Run systems under test without a subject.",
    {
        "run": (
            "curtain_experiments.commands.systems:run",
            "Answer a test set with a system, for curtain score. Exit 1 if it broke down on any question.",
        ),
        "list": ("curtain_experiments.commands.systems:list_systems", "List the systems that a condition may name."),
    },
)
PREREGISTER = Family(
    "",
    {
        "preregister": (
            "curtain_experiments.commands.preregister:preregister",
            "Print what a study declares, with its power, as a text for OSF or AsPredicted.",
        )
    },
)

COMPANION = Companion(
    name="experiments",
    about="Runs of systems and wizards, measured and compared.",
    commands={
        "Evaluation": {
            "report": (
                "curtain_experiments.commands.report:report_run",
                "Report end-to-end measures of runs, and compare two systems.",
            ),
            "system": SYSTEM,
        },
        "Study and database": {"study": PREREGISTER},
    },
    week={
        "Prepare": {"study preregister": "See the text to preregister a study"},
        "Evaluate": {
            "report": "Report on the runs, compare systems",
            "system run": "Run a system over a test set",
            "system list": "List the systems that can be tested",
        },
    },
)
