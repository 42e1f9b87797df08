"""What corpora bring: the formats of the field, trees read back into sessions, pools, and a folder to publish."""

from curtain.ports.companion import Companion, FormatOffer

_HERE = "curtain_corpora.exports"

COMPANION = Companion(
    name="corpora",
    about="Corpora in the formats of the field, read back and published.",
    commands={
        "Corpus": {
            "import": (
                "curtain_corpora.commands.importing:run",
                "Read an ATIS tree back into sessions of a study, without loss.",
            ),
            "pool": (
                "curtain_corpora.commands.pool:pool",
                "Pool studies without copying them, keep clashing speakers apart, count by site.",
            ),
            "publish": (
                "curtain_corpora.commands.publish:publish",
                "Make a folder for Hugging Face, Zenodo and Dataverse, with a statement on consent and deception.",
            ),
        }
    },
    week={
        "Share": {
            "publish": "Publish the study",
            "import": "Read an ATIS tree back",
            "pool": "Pool the studies of several sites",
        }
    },
    formats=(
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
        FormatOffer(
            "bird",
            "BIRD: questions with evidence and proven queries over SQLite copies",
            f"{_HERE}.sql.bird",
            False,
            False,
        ),
        FormatOffer("elan", "ELAN files with a recording of each session", f"{_HERE}.speech.elan"),
        FormatOffer("textgrid", "Praat TextGrids with a recording of each session", f"{_HERE}.speech.textgrid"),
        FormatOffer("bagit", "BagIt bag of the sessions", f"{_HERE}.bagit", archive=True),
    ),
)
