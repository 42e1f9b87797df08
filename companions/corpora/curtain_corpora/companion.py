"""What corpora bring: the formats of the field, trees read back into sessions, and a folder to publish."""

from curtain.ports.companion import Companion, FormatOffer

_HERE = "curtain_corpora.exports"

COMPANION = Companion(
    name="corpora",
    about="Corpora in the formats of the field, read back and published.",
    commands={
        "Sessions": {
            "questionnaires": (
                "curtain_corpora.commands.questionnaires:questionnaires",
                "List the scores of questionnaires, or write all answers and scores as tables.",
            )
        },
        "Corpus": {
            "import": (
                "curtain_corpora.commands.importing:run",
                "Read an ATIS tree back into sessions of a study, without loss.",
            ),
            "publish": (
                "curtain_corpora.commands.publish:publish",
                "Make a folder for Hugging Face, Zenodo and Dataverse, with a statement on consent and deception.",
            ),
        },
    },
    week={
        "Run sessions": {"questionnaires": "See or save the questionnaires"},
        "Share": {"publish": "Publish the study", "import": "Read an ATIS tree back"},
    },
    formats=(
        FormatOffer(
            "huggingface", "Hugging Face data set: Parquet with recordings, card", f"{_HERE}.huggingface", use="publish"
        ),
        FormatOffer("atis", "ATIS tree of NIST and LDC", f"{_HERE}.atis_tree"),
        FormatOffer("kaldi", "Kaldi data folders", f"{_HERE}.speech.kaldi"),
        FormatOffer("nist", "NIST trn, stm and ctm for sclite", f"{_HERE}.speech.nist", speech=False),
        FormatOffer(
            "spider",
            "Spider and SParC: questions with proven queries over a SQLite copy",
            f"{_HERE}.sql.spider",
            False,
            False,
        ),
        FormatOffer("textgrid", "Praat TextGrids with a recording of each session", f"{_HERE}.speech.textgrid"),
    ),
)
