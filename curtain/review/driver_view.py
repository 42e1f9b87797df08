"""The properties of the window that a driver reads; the table is in `window`."""

from __future__ import annotations

from curtain.review.control.control import AnnotateControl


def seen_by_driver(control: AnnotateControl) -> dict[str, str | int | bool]:
    """The state of the window by property name; tests and rehearsals wait for these values."""
    turn, progress = control.turn, control.progress
    state = "annotating"
    if control.shelf.person.adjudicates:
        state = "editing_ruling" if control.editing_ruling else "ruling"
    return {
        "state": state,
        "utterance": turn.id,
        "turn": turn.scene.utterance.turn,
        "session": turn.sitting.session_id,
        "place": progress.in_all,
        "total": progress.of_all,
        "done": progress.done_in_all,
        "unread": progress.unread,
        "eval_class": turn.annotation.eval_class or "",
        "category": turn.annotation.category or "",
        "reasons": " ".join(turn.work.reasons),
        "faults": sum(fault.blocks for fault in turn.faults),
        "dirty": turn.dirty,
        "again": control.is_again,
        "writing": control.writing,
        "sql_settled": not control.running,
        "reading": turn.reading + 1,
        "readings": len(turn.work.readings),
        "filter": control.filter,
        "saved": control.last_saved,
        "drafts_settled": turn.kept == turn.work and not control.writing,
    }
