"""Ids of ours for the sessions and utterances of a tree: its own where they can be ids here, else new ones."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.corpus.model.utterance import ContextLink, Session, Utterance
from curtain.session.study import ids
from curtain_corpora.atis.names import number_of
from curtain_corpora.importing.tree import Key


def session_ids(groups: Sequence[tuple[str, Key]]) -> list[str]:
    """An id for each session, given by the id the tree gives ("" for none) and its first scenario-session.

    Raises CurtainError after 99 sessions of a speaker.
    """
    taken = {given_id for given_id, _ in groups if _is_session(given_id)}
    ids = []
    for given_id, key in groups:
        name = given_id if _is_session(given_id) else _free(key, taken)
        taken.add(name)
        ids.append(name)
    return ids


def _is_session(name: str) -> bool:
    try:
        ids.split_session_id(name)
    except ids.BadId:
        return False
    return True


def _free(key: Key, taken: set[str]) -> str:
    """The number in the tree where the speech is spontaneous, else the next behind all numbers of a tree."""
    digits = [number_of(key.session)] if key.mode == "s" else []
    # Numbers of a tree end at 35, so those from 36 on meet none that comes with a later import.
    for number in (*digits, *range(36, ids.LAST_SESSION + 1), *range(1, 36)):
        name = ids.session_id(key.speaker, number)
        if name not in taken:
            return name
    raise CurtainError(
        f"Speaker {key.speaker} has more than {ids.LAST_SESSION} sessions in the tree. Import a part of it at a time."
    )


@dataclass(frozen=True)
class Named:
    """A session under ids of ours; `changed` leads from each utterance's id to the one it had in the tree."""

    session: Session
    recordings: Mapping[str, Path]
    changed: Mapping[str, str] = field(default_factory=dict)


def with_ids(session: Session, session_id: str, recordings: Mapping[str, Path]) -> Named:
    """The session and its utterances, in the order of turns, under this id.

    Raises CurtainError after 999 utterances, and where two utterances have one id.
    """
    twice = [name for name, count in Counter(one.utterance_id for one in session.utterances).items() if count > 1]
    if twice:
        raise CurtainError(
            f"The tree names the utterance {twice[0]!r} of session {session_id} twice. Take one of them out."
        )
    utterances = sorted(session.utterances, key=lambda one: one.turn)
    turns = _turns(session_id, [one.turn for one in utterances])
    new = {one.utterance_id: ids.utterance_id(session_id, turn) for one, turn in zip(utterances, turns, strict=True)}
    speaker, _ = ids.split_session_id(session_id)
    renamed = tuple(_renamed(one, turn, session_id, speaker, new) for one, turn in zip(utterances, turns, strict=True))
    return Named(
        replace(session, session_id=session_id, speaker_id=speaker, utterances=renamed),
        {new[old]: path for old, path in recordings.items() if old in new},
        {ours: theirs for theirs, ours in new.items() if ours != theirs},
    )


def _turns(session_id: str, given_turns: Sequence[int]) -> Sequence[int]:
    if len(set(given_turns)) == len(given_turns) and all(1 <= turn <= ids.LAST_TURN for turn in given_turns):
        return given_turns
    if len(given_turns) > ids.LAST_TURN:
        raise CurtainError(
            f"The session that becomes {session_id} has {len(given_turns):,} utterances; "
            f"a session can have {ids.LAST_TURN}. "
            "Divide its folder in the tree, and import again."
        )
    return range(1, len(given_turns) + 1)


def _renamed(utterance: Utterance, turn: int, session_id: str, speaker: str, new: Mapping[str, str]) -> Utterance:
    return replace(
        utterance,
        utterance_id=new[utterance.utterance_id],
        session_id=session_id,
        speaker_id=speaker,
        turn=turn,
        context=tuple(_links(utterance.context, new)),
    )


def _links(context: Iterable[ContextLink], new: Mapping[str, str]) -> Iterable[ContextLink]:
    # What points out of the session stays as the tree has it, so that it is not lost.
    return (ContextLink(new.get(link.utterance_id, link.utterance_id), link.to) for link in context)
