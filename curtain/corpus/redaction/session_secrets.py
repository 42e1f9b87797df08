"""What is hidden in a session, and what may stand for it, turn by turn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from curtain.corpus.model.utterance import Redaction, Utterance
from curtain.corpus.redaction.figures import knows_numbers_of
from curtain.corpus.redaction.hidden_words import HiddenWords, WordPlace, pieces_of_sro, pieces_of_text, untied
from curtain.corpus.redaction.texts import hidden_in, leaving, visible_words, with_repeated
from curtain.corpus.redaction.utterances import TurnSecrets


def session_secrets(utterances: Sequence[Utterance]) -> tuple[HiddenWords, Mapping[str, TurnSecrets]]:
    """All that is hidden in a session, and what that means for each of its turns by id. `utterances` are those of the
    session with nothing taken from them."""
    marked = HiddenWords.of_all(hidden_in(turn.query, turn.sro, turn.redactions) for turn in utterances)
    if marked.is_empty:
        return marked, {turn.utterance_id: TurnSecrets(marked) for turn in utterances}
    secrets = {turn.utterance_id: _secrets_of(turn, marked) for turn in utterances}
    others = {word for turn in utterances for word in _standing_for(turn, secrets[turn.utterance_id])}
    hidden = replace(marked, others=frozenset(others))
    any_figure = not all(knows_numbers_of(turn.language) for turn in utterances)
    return hidden, {name: replace(one, hidden=hidden, any_figure=any_figure) for name, one in secrets.items()}


def _secrets_of(turn: Utterance, marked: HiddenWords) -> TurnSecrets:
    redactions = with_repeated(turn.query, turn.sro, turn.redactions, marked)
    return TurnSecrets(marked, _visible(turn, redactions), redactions)


def _visible(turn: Utterance, redactions: Sequence[Redaction]) -> tuple[Sequence[WordPlace], ...] | None:
    """The words of a turn that may be seen; None where nothing is hidden of what was said."""
    if hidden_in(turn.query, turn.sro, redactions).is_empty:
        return None
    left = leaving(turn.query, turn.sro, redactions)
    sro = None if left.without_sro else turn.sro
    return visible_words(turn.query, left.redactions, "query"), visible_words(sro, left.redactions, "sro")


def _standing_for(turn: Utterance, secrets: TurnSecrets) -> Iterator[str]:
    """What was not said as it is hidden, and may stand for it: the words of a text that is withheld, the values of a
    statement. Single figures and letters are none, since they would hide half of what is written."""
    if secrets.visible is None:
        return
    left = leaving(turn.query, turn.sro, secrets.redactions)
    statements = (turn.sent_sql, *(sql for read in turn.references for sql in (read.sql_min, read.sql_max)))
    words = {word for sql in statements for word in secrets.untied_in(sql)}
    if left.without_query:
        words |= untied(pieces_of_text(turn.query or ""), secrets.visible, secrets.hidden)
    if left.without_sro:
        words |= untied(pieces_of_sro(turn.sro or ""), secrets.visible, secrets.hidden)
    yield from (word for word in words if len(word) > 1)
