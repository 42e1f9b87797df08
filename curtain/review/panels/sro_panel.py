"""The transcription in its two layers: the detailed one is written, the words follow from it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from curtain.corpus.annotation.spoken_forms import spoken_forms
from curtain.corpus.annotation.sro import check_sro, lsn_of
from curtain.corpus.model.utterance import Redaction
from curtain.desk.style import Look, set_text_colour
from curtain.desk.widgets import OneLine, column, heading, label, row
from curtain.review.panels.text_field import TextField, wrapped

_MOST_SHOWN = 2


class SroPanel(QWidget):
    """Faults stand under the field in plain words and are underlined in it."""

    text_edited = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.field = TextField("sro", self.tr("Transcription"), look, 3)
        self.field.setPlaceholderText(self.tr("what was said: <repaired> *mispronounced* frag- [cough]"))
        self._faults = label("", look, small=True)
        self._faults.setObjectName("sro_faults")
        wrapped(self._faults)
        self._faults.setIndent(4)
        self._offer = label("", look, small=True, quiet=True)
        self._offer.setObjectName("sro_offer")
        wrapped(self._offer)
        self._offer.setIndent(4)
        self._words = OneLine("lsn", look)
        title = row(heading(self.tr("Transcription  Ctrl+T"), look), 1)
        self.setLayout(column(title, self.field, self._words, self._offer, self._faults, spacing=2))
        self.field.textChanged.connect(self._on_edited)

    def show_sro(self, sro: str, redactions: Sequence[Redaction]) -> None:
        """The text as it stands, its words, its faults, and what is hidden in it."""
        self.field.show_text(sro)
        faults = check_sro(sro)
        hidden = [(one.start_char or 0, one.end_char or len(sro)) for one in redactions if one.in_text == "sro"]
        self.field.show_marks(
            [(one.start, one.end) for one in faults if one.blocks],
            [(one.start, one.end) for one in faults if not one.blocks],
            hidden,
        )
        self._words.setText(lsn_of(sro))
        sentences = list(dict.fromkeys(one.sentence for one in sorted(faults, key=lambda one: not one.blocks)))
        offered = self._offered(sro)
        self._offer.setText(offered)
        self._offer.setVisible(bool(offered))
        # The offer takes a line, so that the panel keeps its height.
        most = _MOST_SHOWN - bool(offered)
        rest = len(sentences) - most
        self._faults.setText("\n".join(sentences[:most]) + (self.tr("\n{0} more").format(rest) if rest > 0 else ""))
        self._faults.setVisible(bool(sentences))
        blocks = any(one.blocks for one in faults)
        set_text_colour(self._faults, self._look.bad if blocks else self._look.warning)

    def _offered(self, sro: str) -> str:
        """A help and no fault: it stands apart, in a quiet colour."""
        forms = [one.words.strip() for one in spoken_forms(sro)]
        return self.tr("Ctrl+W writes the figures as “{0}”.").format("”, “".join(forms)) if forms else ""

    def _on_edited(self) -> None:
        self.text_edited.emit(self.field.toPlainText())
