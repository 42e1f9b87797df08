"""Opening a session's folder, new or left behind by a crash. All of it is disk work, away from the window."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from curtain.audio.takes import describe_take, narrowed, recover_takes, saved_take
from curtain.base.clock import Clock
from curtain.session.bundle.identity import common_identity, identity_in
from curtain.session.events.subject_events import (
    CHANNELS,
    ChannelSaved,
    SubjectEpoch,
    SubjectFact,
    TakeCancelled,
    TakeRecovered,
)
from curtain.session.journal.journal import Journal
from curtain.session.journal.lines import parse_line
from curtain.session.study.ids import split_utterance_id, utterance_id
from subject_app.session.past_events import Past, replay
from subject_app.session.spool import JOURNAL, SpoolFolder
from subject_app.session.spool_space import SpoolSpace


@dataclass(frozen=True)
class ThisStation:
    """What the epoch line says about this process."""

    app_version: str
    pid: int


@dataclass(frozen=True)
class OpenedSession:
    """A folder that is in use, its journal, and what the journal records; `secret` is "" if there is none."""

    folder: SpoolFolder
    journal: Journal
    past: Past
    secret: str = ""


def open_session(
    folder: SpoolFolder, clock: Clock, station: ThisStation, space: SpoolSpace, secret: str = ""
) -> OpenedSession:
    """Open or create the folder, repair what a crash left, and journal it. It can be killed and run again.

    `secret` is what the welcome gave; it is on the disk before the first line is, since the wizard's station asks for
    it as soon as it holds a line. On a full disk it waits for room. Raises CurtainError and OSError.
    """
    # Before the journal is opened: on a full disk there would be no room for its lines.
    space.prepare()
    folder.make()
    folder.keep_secret(secret)
    journal = Journal(folder.journal, clock, space.disk, space)
    try:
        # The folder's name bears the identity too: a folder that was renamed by hand is found out here.
        common_identity({"name": folder.session.identity, JOURNAL: identity_in(journal.opened_with.entries)})
        past = replay(journal.opened_with.entries)
        facts = [*_epoch(folder, past, station), *_recovered(folder, past), *_never_heard(folder, past)]
        for future in journal.append_all(facts):
            future.result()
        journal.release_lines()
        # Read again: the facts of this start are part of the past too.
        return OpenedSession(folder, journal, _replay_all(journal), folder.secret)
    except BaseException:
        journal.close()
        raise


def _replay_all(journal: Journal) -> Past:
    return replay(parse_line(line) for _, line in journal.lines_after(0))


def _epoch(folder: SpoolFolder, past: Past, station: ThisStation) -> Iterator[tuple[SubjectFact, int | None]]:
    yield (
        SubjectEpoch(
            number=past.epochs + 1,
            app_version=station.app_version,
            pid=station.pid,
            session_id=folder.session_id,
            identity=folder.session.identity,
        ),
        None,
    )


def _recovered(folder: SpoolFolder, past: Past) -> Iterator[tuple[SubjectFact, int | None]]:
    takes = past.takes
    withdrawn = {utterance_id(folder.session_id, turn) for turn in past.withdrawn}
    for place in (folder.audio, *(folder.audio / channel for channel in CHANNELS)):
        recover_takes(place, withdrawn)
    # Of a take that had still to be made from its wide recording.
    for wide in sorted((folder.audio / "wide").glob("*.wav")):
        if wide.stem not in takes and wide.stem not in withdrawn and not (folder.audio / wide.name).exists():
            narrowed(saved_take(wide), folder.audio / wide.name)
    # Sorted, so that turns are recovered in their order; their takes first.
    for wav in sorted(folder.audio.rglob("*.wav"), key=lambda path: (path.parent != folder.audio, path)):
        recording = wav.relative_to(folder.audio).with_suffix("").as_posix()
        # A whole file whose journal line was never written is as good as a repaired one.
        if recording in takes or wav.stem in withdrawn:
            continue
        take = describe_take(wav)
        if take.frames:  # else the press was cut off before any sound came: `_never_heard` reports it
            turn = split_utterance_id(wav.stem)[1]
            channel = {} if recording == wav.stem else {"channel": wav.parent.name}
            fact = msgspec.convert({**vars(take), **channel}, ChannelSaved if channel else TakeRecovered)
            past.add(fact, turn)
            yield fact, turn


def _never_heard(folder: SpoolFolder, past: Past) -> Iterator[tuple[SubjectFact, int | None]]:
    for turn in past.lost_turns:
        yield TakeCancelled(reason="no_sound"), turn
