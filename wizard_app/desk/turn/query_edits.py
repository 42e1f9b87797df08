"""What a transcription was before the wizard took something of it back."""

from __future__ import annotations

_MOST = 50


class QueryEdits:
    """Follows the field of one turn. A text is kept when it stops growing at its end: what is deleted then, or put in
    before the end, is one edit until words are added at the end again."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._growing = bool(text)
        self._earlier: list[str] = []

    def show(self, text: str) -> None:
        """The field holds this text now."""
        grown = text.startswith(self._text)
        if not grown and self._growing:
            self._keep(self._text)
        if text != self._text:
            self._growing = grown
        self._text = text

    def take(self, sent: str) -> list[str]:
        """The texts since the last call, as the query is sent."""
        earlier = [text for text in self._earlier if text != sent]
        self._earlier = []
        # What was sent is in the journal already.
        self._growing = False
        return earlier

    def _keep(self, text: str) -> None:
        plain = " ".join(text.split())
        if plain and plain not in self._earlier[-1:]:
            self._earlier = [*self._earlier, plain][-_MOST:]
