"""What experiments bring: systems in the wizard's place and without a subject, conditions, and the report on runs."""

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
        }
    },
    week={
        "Evaluate": {
            "report": "Report on the runs, compare systems",
            "system run": "Run a system over a test set",
            "system list": "List the systems that can be tested",
        }
    },
    agreements="curtain_experiments.commands.experiment:needed_by",
    operator="curtain_experiments.desk.system_operator:SystemOperator",
)
