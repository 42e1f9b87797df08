"""What to do next in a study: one sentence and one action, computed from the study's state alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from curtain.base.plural import count_of
from curtain.commands.sessions.facts import SessionFacts, StudyFacts


@dataclass(frozen=True)
class NextDeed:
    """A plain sentence, the action of the key table that does it (empty: nothing in this window does), and the session
    that it is about, if it is about one. `settings` are values that the form of settings proposes."""

    sentence: str
    action: str = ""
    session_id: str = ""
    settings: tuple[tuple[str, str], ...] = ()


def next_deed(study: StudyFacts | None, stations: Collection[str] = ()) -> NextDeed:
    """The first thing that waits. `stations` are the kinds of those that run and were started from here.

    The order follows the life of a corpus: a session that runs, what may be lost, what is promised to speakers, then
    verifying, annotating and exporting.
    """
    if study is None:
        return NextDeed("Make a study, or open one that is there already.", "new_study")
    if study.problem:
        return NextDeed(f"{study.problem} Correct the file, then read the study again.", "refresh")
    if open_session := _left_by_the_wizard(study, stations):
        return NextDeed(
            f"Session {open_session} was not ended. Open the wizard’s station and resume it.", "wizard_station"
        )
    if stations:
        if set(stations) == {"subject"}:
            return NextDeed("The subject’s station runs without the wizard’s. Open that, or close the subject’s.")
        return NextDeed("A station is running. Close its window when the session is over.")
    return (
        _about_problem(study)
        or _about_verifying(study.data)
        or _about_beginning(study)
        or _about_annotating(study.data)
        or _about_exporting(study)
    )


def _left_by_the_wizard(study: StudyFacts, stations: Collection[str]) -> str:
    """The session that waits at the subject's station, which still runs alone; empty if there is none."""
    if set(stations) != {"subject"}:
        return ""
    return next((session.session_id for session in study.sessions if not session.closed and not session.problem), "")


def _about_problem(study: StudyFacts) -> NextDeed | None:
    for session in study.sessions:
        if session.problem:
            return NextDeed(f"Session {session.session_id} cannot be read. Verify it to see why.", "verify",
                            session.session_id)  # fmt: skip
        if session.soundness == "damaged":
            return NextDeed(
                f"Session {session.session_id} is damaged. Repair makes a repaired copy beside it.", "repair",
                session.session_id,
            )  # fmt: skip
        if not session.closed:
            return NextDeed(
                f"Session {session.session_id} was not ended. Open both stations and resume it; "
                "only the wizard’s if the subject’s is still open.", "both_stations",
            )  # fmt: skip
    if study.due:
        listed = ", ".join(study.due[:3]) + (", …" if len(study.due) > 3 else "")
        return NextDeed(f"These sessions may be kept no longer: {listed}. Look at the list.", "retention")
    return None


def _about_verifying(data: Sequence[SessionFacts]) -> NextDeed | None:
    unverified = [session for session in data if session.soundness == "unknown"]
    if not unverified:
        return None
    first, rest = unverified[0].session_id, count_of(len(unverified) - 1, "session")
    sentence = f"Session {first} is closed. Verify that every file is there."
    if len(unverified) > 1:
        sentence = f"Session {first} is closed. Verify that every file is there. Still to verify after it: {rest}."
    return NextDeed(sentence, "verify", first)


def _about_beginning(study: StudyFacts) -> NextDeed | None:
    if study.data:
        return None
    tried = any(session.turns or not session.is_read for session in study.sessions)
    if study.voiceless:
        # The same trial once more would end as the last one did.
        begin = "There are only trial sessions so far." if tried else "No trial session so far goes beyond practice."
        sentence = f"{begin} {study.voiceless}" if study.sessions else study.voiceless
        return NextDeed(sentence, "settings", settings=(("input", "both"),))
    if not tried:
        begin = "No trial session so far goes beyond practice." if study.sessions else "The study is ready."
        return NextDeed(f"{begin} Run a trial session first: it is marked as no data.", "trial_session")
    return NextDeed("There are only trial sessions so far. Open both stations for the first subject.", "both_stations")


def _about_annotating(data: Sequence[SessionFacts]) -> NextDeed | None:
    if not all(session.is_read for session in data):
        return NextDeed("The turns of the sessions are being read.")
    wanted = [one for one in data if one.barred != "withdrawn"]
    turns, annotated = sum(one.turns for one in wanted), sum(one.annotated for one in wanted)
    if annotated >= turns:
        return None
    return NextDeed(f"Still to annotate: {count_of(turns - annotated, 'turn')} of {turns}.", "annotate")


def _about_exporting(study: StudyFacts) -> NextDeed:
    if withdrawn := next((one.session_id for one in study.data if one.barred == "withdrawn"), ""):
        return NextDeed(
            f"The consent of session {withdrawn} was withdrawn: exports leave it out. “Forget” erases it.",
            "more_actions", withdrawn,
        )  # fmt: skip
    if undisclosed := next((one.session_id for one in study.data if one.barred == "undisclosed"), ""):
        return NextDeed(
            f"Nobody has disclosed to the subject of session {undisclosed} who answered: exports leave it out. "
            "“Consent” in “Look for an action” notes that it was done.", "more_actions", undisclosed,
        )  # fmt: skip
    new = [one for one in study.data if one.session_id not in study.exported and one.turns and not one.barred]
    if new:
        return NextDeed(f"Everything is annotated. {count_of(len(new), 'session')} are in no export yet."
                        if len(new) > 1 else "Everything is annotated. One session is in no export yet.",
                        "export")  # fmt: skip
    without = [one.session_id for one in study.data if one.barred == "no consent"]
    if without:
        return NextDeed(
            f"Exports leave out {count_of(len(without), 'session')} without a consent form, first {without[0]}. "
            "If a form was signed, note it: “Consent” in “Look for an action”.", "more_actions", without[0],
        )  # fmt: skip
    return NextDeed("Everything is annotated and exported. Run the next session, or score a system.", "both_stations")
