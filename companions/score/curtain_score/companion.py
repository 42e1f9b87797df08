"""What scoring brings: comparing and scoring files of answers and of SQL, blind tests, altered databases."""

from curtain.ports.companion import Companion, Family

TEST_SET = Family(
    "Run a blind test: release inputs, score answers, take reports on references, score again.",
    {
        "release": (
            "curtain_score.commands.test_sets:release_turns",
            "Write the inputs of a test without any answer, and the key beside them.",
        ),
        "score": (
            "curtain_score.commands.test_sets:score",
            "Score answers: preliminary results first, final ones when every report has its ruling.",
        ),
        "report": ("curtain_score.commands.test_sets:report", "Report a reference that you hold to be wrong."),
        "rule": (
            "curtain_score.commands.test_sets:rule_on",
            "Decide about a reported reference; the released key never changes.",
        ),
        "reports": ("curtain_score.commands.test_sets:list_reports", "List what was reported, and what was decided."),
    },
)
COPIES = Family(
    "",
    {
        "copies": (
            "curtain_score.commands.copies:copies",
            "Make altered copies of a database, on which an answer that is right by chance is wrong.",
        )
    },
)

COMPANION = Companion(
    name="score",
    about="Answers and predicted SQL, compared and scored.",
    commands={
        "Evaluation": {
            "compare": (
                "curtain_score.commands.answers:compare",
                "Judge an answer. Exit 0 correct, 1 incorrect or malformed, 2 unreadable input, 3 no answer, "
                "4 undecided.",
            ),
            "score": (
                "curtain_score.commands.answers:score",
                "Score systems: right, wrong, no answer, weighted error; of several the rank. Exit 2 if one is "
                "left out.",
            ),
            "score-sql": (
                "curtain_score.commands.answers:score_sql",
                "Score predicted SQL by its results on the databases of a benchmark.",
            ),
            "test-set": TEST_SET,
        },
        "Study and database": {"domain": COPIES},
    },
    week={
        "Evaluate": {
            "score": "Score a system’s answers",
            "score-sql": "Score predicted SQL on a benchmark",
            "compare": "Compare an answer with its reference",
            "domain copies": "Make altered copies of a database",
            "test-set release": "Release a blind test",
            "test-set score": "Score answers to a blind test",
            "test-set report": "Report a reference that is wrong",
            "test-set reports": "List the reported references",
            "test-set rule": "Rule on a reported reference",
        }
    },
)
