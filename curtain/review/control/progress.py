"""How far one is, in the session and in all."""

from collections.abc import Collection
from dataclasses import dataclass

from curtain.review.control.shelf import AnnotatedSessions, Volume


@dataclass(frozen=True)
class AnnotationProgress:
    """Where one is, from 1, of how many; how many of those that are due are done. To an adjudicator due is what
    annotators differ on. `unread` sessions will still bring theirs."""

    in_session: int
    of_session: int
    done_in_session: int
    in_all: int
    of_all: int
    done_in_all: int
    due_in_session: int
    due_in_all: int
    unread: int = 0


def progress_at(shelf: AnnotatedSessions, utterance_id: str, sent: Collection[str]) -> AnnotationProgress:
    """`sent` are turns that are done but not yet on the disk."""
    volume = shelf.volume(utterance_id)
    sizes = [len(one.turns) for one in shelf.volumes]
    in_session = volume.turns.index(utterance_id) + 1 if utterance_id in volume.turns else 0
    return AnnotationProgress(
        in_session,
        len(volume.turns),
        _done_in(volume, sent),
        sum(sizes[: shelf.volumes.index(volume)]) + in_session,
        sum(sizes),
        sum(_done_in(one, sent) for one in shelf.volumes),
        _due_in(volume, sent),
        sum(_due_in(one, sent) for one in shelf.volumes),
        shelf.unread,
    )


def _done_in(volume: Volume, sent: Collection[str]) -> int:
    # What is on its way counts: else the bar would lag behind the person.
    return len((volume.done & volume.due) | _sent_in(volume, sent))


def _due_in(volume: Volume, sent: Collection[str]) -> int:
    return len(volume.due | _sent_in(volume, sent))


def _sent_in(volume: Volume, sent: Collection[str]) -> set[str]:
    return {one for one in sent if one in volume.turns}
