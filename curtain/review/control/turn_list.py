"""All turns in one list, and those that a search leaves."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from curtain.base.words import holds_words
from curtain.qt.languages.translation import translate
from curtain.review.control.shelf import AnnotatedSessions, Volume
from curtain.session.study.ids import split_utterance_id


@dataclass(frozen=True)
class ListedTurn:
    """A turn in the list. `state` is “done”, “ruled”, “to rule”, “again”, “draft” or empty; `eval_class` is what this
    person saved, or sees as saved."""

    utterance_id: str
    session_id: str
    turn: int
    state: str
    eval_class: str
    query: str

    @property
    def searched(self) -> str:
        """Everything that a search looks at."""
        return f"{self.utterance_id} turn {self.turn} {self.state} class {self.eval_class} {self.query}"


def listed(shelf: AnnotatedSessions, sent: Collection[str]) -> list[ListedTurn]:
    """The turns that this person may be asked about, of the sessions that are read. `sent` are on their way to disk."""
    return [_listed(volume, one, shelf, one in sent) for volume in shelf.volumes for one in volume.turns]


def matching(turns: Sequence[ListedTurn], wanted: str) -> list[ListedTurn]:
    """The turns that hold all these words or parts of words, whatever their case."""
    return [one for one in turns if holds_words(one.searched, wanted)]


def _listed(volume: Volume, utterance_id: str, shelf: AnnotatedSessions, is_sent: bool) -> ListedTurn:
    query = " ".join(volume.queries[utterance_id].split()) or translate("Review", "(nothing heard)")
    turn, state = split_utterance_id(utterance_id)[1], _state(volume, utterance_id, shelf, is_sent)
    return ListedTurn(utterance_id, volume.session_id, turn, state, volume.classes.get(utterance_id, ""), query)


def _state(volume: Volume, utterance_id: str, shelf: AnnotatedSessions, is_sent: bool) -> str:
    if shelf.person.adjudicates:
        if utterance_id not in volume.due and not is_sent:
            return ""
        return "ruled" if is_sent or utterance_id in volume.done else "to rule"
    if utterance_id in volume.again:
        return "again"
    if not is_sent and utterance_id in volume.drafted:
        return "draft"
    return "done" if is_sent or utterance_id in volume.done else ""
