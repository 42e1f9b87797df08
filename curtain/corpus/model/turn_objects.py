"""The objects that `curtain turns` prints, as they may leave: without what anybody wants hidden in the session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curtain.corpus.annotation.layers import Layers
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import ensure_redactions, read_session, read_with_record
from curtain.corpus.model.utterance import REDACTED
from curtain.corpus.redaction.session_secrets import session_secrets
from curtain.corpus.redaction.utterances import TurnSecrets
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import Turn

_NAMES = frozenset((
    "session_id", "speaker_id", "scenario_id", "utterance_id", "audio", "message_id", "outcome", "counts_as", "tags",
    "cut_reason", "show", "query_wizard_id", "reply_wizard_id", "wizard_id", "condition_id", "answered_by",
    "system", "steps", "reason", "how", "solution", "solution_from", "way", "drafter", "times",
))  # fmt: skip
"""What is no text that anybody said, typed or read."""
_STATEMENTS = ("sql", "sql_min", "sql_max", "cas", "cas_min", "cas_max")
_OF_SPEECH = frozenset((
    *_STATEMENTS, "attempts", "corrections", "drafts", "blanks", "earlier_texts", "cas_error", "max_error",
    "system_reply", "system_fault",
))  # fmt: skip
"""What was made of the words of a turn. Where some of these are hidden, nobody knows what it says of them."""


def turn_objects(bundle: Bundle, turns: Sequence[Turn]) -> Iterator[dict[str, Any]]:
    """The turns of a session in their order. Raises as `curtain.corpus.model.reader.read_session` where something is
    hidden."""
    ensure_redactions(bundle.path)
    if not Layers(bundle).rows("redaction"):
        yield from (turn.as_json() for turn in turns)
        return
    session, _ = read_with_record(bundle.path, Domains())
    _, secrets = session_secrets(session.utterances)
    seen = {one.utterance_id: one for one in read_session(bundle.path).utterances}
    for turn in turns:
        left, of_turn = seen[turn.utterance_id], secrets[turn.utterance_id]
        cleaned: dict[str, Any] = _cleaned(turn.as_json(), of_turn, "")
        texts = {"query": left.query if turn.query is not None else None, "message": left.message}
        heard = {"hypothesis": left.hypothesis} if "hypothesis" in cleaned else {}
        yield {**cleaned, **texts, **heard, "notes": list(left.notes)[: len(turn.notes)]}


def _cleaned(value: Any, secrets: TurnSecrets, key: str) -> Any:
    if isinstance(value, dict):
        return {name: _cleaned(one, secrets, _key(name, key)) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(one, secrets, key) for one in value]
    if not isinstance(value, str) or not value or key in _NAMES:
        return value
    if key in _OF_SPEECH and secrets.visible is not None:
        return REDACTED
    if key in _STATEMENTS:
        return value if secrets.may_leave(value) else REDACTED
    return secrets.text(value)


def _key(name: str, of: str) -> str:
    """Everything in an attempt is of the attempt, but for names and statements."""
    return name if name in _NAMES or of not in _OF_SPEECH else of
