"""The recogniser that comes as the extra `asr`, for turns that nobody types."""

from __future__ import annotations

from curtain.domain.pack.reader import Pack
from curtain.recognition.transcriber import Transcriber, is_installed
from wizard_app.desk.preparation import NoTranscriber


def domain_transcriber(pack: Pack) -> Transcriber:
    """Knows the questions of the domain. Raises NoTranscriber, PackError."""
    if not is_installed():
        raise NoTranscriber(
            "Nobody types in this study, and there is no recogniser: install the extra curtain-woz[asr], or name one "
            "in [asr] of study.toml."
        )
    return Transcriber([example.question for example in pack.examples()])
