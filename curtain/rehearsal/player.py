"""Plays a script with the two real stations: two processes, pressed by their own keys, as two people would."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.scratch import ScratchFolder
from curtain.base.terminal import Say, announce
from curtain.rehearsal.script import ScriptStep, read_script
from curtain.rehearsal.stage import (
    BREATH_S,
    RehearsalPlan,
    Stage,
    StepSound,
    prepare_sounds,
    study_for,
    two_stations,
    wait_s,
)
from curtain.rehearsal.stations import RunningStation, StationStuck, own_places
from curtain.session.study import ids

# More than any window has fields.
MOST_TABS = 40
MOST_RETURNS = 20
# The first Enter leads to what is left out, the second goes on; where an answer must be given, the cursor stands on the
# first of its choices, and Space takes it.
LEAVING_OUT = ("Return", "Return", "Space")


def play(plan: RehearsalPlan, say: Say) -> Path:
    """Plays the whole script and returns the bundle. Raises CurtainError, StationStuck ..."""
    # Read and checked whole before a station starts.
    steps = read_script(plan.script)
    ids.speaker_id(plan.speaker)
    study = study_for(plan, steps)
    with ScratchFolder("rehearsal") as folder:
        sounds = prepare_sounds(steps, plan.script, folder, say)
        return _play_all(plan, study, folder, steps, sounds, say)


def _play_all(
    plan: RehearsalPlan, study: Path, scratch: Path, steps: list[ScriptStep], sounds: dict[int, StepSound], say: Say
) -> Path:
    joins, address = [step for step in steps if step.do == "join"], free_address()
    if joins:
        plan = replace(plan, wizard_options=(*plan.wizard_options, "--chairs", address))
    with two_stations(plan, study, scratch) as stage, joined(stage, joins, address, plan, study, scratch):
        stage.sounds, stage.shots = sounds, plan.shots
        begin_session(stage, plan.speaker)
        for step in joins:
            stage.desk(step.who).wait("window", state="idle", people={"contains": ":"})
        for number, step in enumerate(steps, 1):
            share = (plan.part[0] + (number - 1) / len(steps)) / plan.part[1]
            if not announce(progress=share, what=_title(step)):
                say(f"{number:>3}/{len(steps)} {_title(step)}")
            play_step(stage, number, step)
        return end_session(stage)


def play_step(stage: Stage, number: int, step: ScriptStep) -> None:
    """One line of the script. Raises CurtainError with the line's number."""
    try:
        _PLAYERS[step.do](stage, number, step)
    except StationStuck as stuck:
        form = stuck.seen.get("form") if isinstance(stuck.seen, dict) else None
        why = f"The subject is still at the questionnaire “{form}”; give the script a line for it." if form else stuck
        sentence = f"Step {number} of the script could not be played; the session stays open in the study. {why}"
        raise CurtainError(sentence) from stuck


def begin_session(stage: Stage, speaker: str) -> None:
    """Fills in the first window at the wizard's and walks the subject through test and briefing."""
    wizard, subject = stage.wizard, stage.subject
    wizard.wait("speaker_id", visible=True, enabled=True)
    wizard.wait("window", state="start", link="up")
    wizard.wait("missing", text={"not": ""})
    # None: a box that is ticked with Space.
    for name, typed in (("speaker_id", speaker), ("wizard_id", "rehearsal"), ("consent", None), ("consent_id", "none")):
        _go_to(wizard, name)
        _enter(wizard, typed) if typed else wizard.keys("Space")
    try:
        # The fields may be filled in before the domain has been read.
        wizard.wait("start_session", enabled=True)
    except StationStuck as stuck:
        # In the words of the window: it knows what is missing.
        raise CurtainError(f"The session cannot begin. {wizard.text_of('missing')}") from stuck
    wizard.keys("Return")
    # Who only types is not asked for a microphone.
    subject.wait("window", state={"one_of": ["mic_test", "briefing"]})
    if subject.has("window", state="mic_test"):
        subject.wait("window", state="mic_test", microphone="ready")
        _test_microphone(stage)
        _leave_microphone_test(stage.subject)
    subject.keys("Return")
    subject.wait("window", state="idle")
    wizard.wait("window", state="idle")


def _test_microphone(stage: Stage) -> None:
    """Hums, and goes on once the station has heard it and played it back."""
    sound = stage.sounds[0]
    # Press and release apart, since a key that is typed is too short to speak.
    stage.subject.ask("press", key="Space")
    stage.subject.wait("mic_talk", state="listening")
    stage.voice(sound)
    stage.subject.ask("release", key="Space")
    stage.subject.wait("mic_continue", enabled=True)


def _leave_microphone_test(subject: RunningStation) -> None:
    """Goes on to the briefing. Raises CurtainError."""
    # A microphone that is late with its sound takes the button away for a moment, and the key then does nothing.
    for _ in range(MOST_RETURNS):
        subject.wait("mic_continue", enabled=True)
        subject.keys("Return")
        if subject.has("window", state="briefing"):
            return
    raise CurtainError("The subject's station stays at the microphone test; is its microphone late with its sound?")


def end_session(stage: Stage) -> Path:
    """Ends the session with its keys and returns the finished bundle."""
    wizard, subject = stage.wizard, stage.subject
    wizard.keys("Ctrl+Shift+E")
    _go_to(wizard, "end_session_confirmed")
    wizard.keys("Space")
    _skip_forms(subject)
    _fill_wizard_forms(stage)
    # The bundle is closed and copied first, which takes longer than a window does.
    return Path(str(wizard.wait("window", state="closed", bundle={"not": ""})["seen"]["bundle"]))


def _skip_forms(subject: RunningStation) -> None:
    """To the closing page; what the script did not fill in is left empty, as a subject may."""
    keys: dict[str, Iterator[str]] = {}
    for _ in range(MOST_RETURNS):
        # The station answers a key once it has acted on it, so the next look sees what the key did.
        seen = subject.wait("window", state={"one_of": ["form", "closing"]}, form={"not": None})["seen"]
        if seen["state"] == "closing":
            return
        subject.keys(next(keys.setdefault(seen["form"], cycle(LEAVING_OUT))))
    raise StationStuck(subject.name, "the closing page", subject.look())


def _fill_wizard_forms(stage: Stage) -> None:
    """The wizard's own questionnaires on the closing page; what the script does not answer is left empty."""
    wizard = stage.wizard
    for _ in range(MOST_RETURNS):
        wizard.wait("window", state={"contains": "clos"})
        shown = str(wizard.look()["widgets"]["window"].get("wizard_form", ""))
        if not shown:
            return
        for item, value in stage.wizard_forms.get(shown, {}).items():
            answer_item(wizard, item, value)
        for key in (*LEAVING_OUT, "Return"):
            if wizard.has("window", wizard_form=shown):
                wizard.keys(key)
        wizard.wait("window", wizard_form={"not": shown})
    raise StationStuck(wizard.name, "the end of the questionnaires", wizard.look())


def _play_turn(stage: Stage, number: int, step: ScriptStep) -> None:
    transcriber, answerer = stage.desk(step.query_by), stage.desk(step.answer_by)
    stage.turn += 1
    if step.type is None:
        speak(stage, stage.sounds[number])
        transcriber.wait("window", turn=stage.turn, state="transcribe")
        send_query(transcriber, step.query, answerer)
    else:
        _go_to(stage.subject, "question")
        _enter(stage.subject, step.type)
        stage.subject.keys("Return")
        answerer.wait("window", turn=stage.turn, state="answer")
    stage.answered, stage.answered_by = stage.turn, step.answer_by
    reply(replace(stage, wizard=answerer), number, step)


def _play_join(stage: Stage, number: int, step: ScriptStep) -> None:
    """They sit there already: everybody joins before the session begins."""


def _play_cancel(stage: Stage, number: int, step: ScriptStep) -> None:
    sound = stage.sounds[number]
    press_talk_key(stage)
    stage.voice(sound)
    stage.subject.keys("Escape")
    stage.subject.ask("release", key="Space")
    # Shorter, the next press would count as keyboard repeat.
    wait_s(BREATH_S)
    stage.subject.wait("window", state="idle")
    # A withdrawn utterance is a turn too.
    stage.turn += 1


def _play_correct(stage: Stage, number: int, step: ScriptStep) -> None:
    # Nobody corrects what another one sent.
    desk = stage.desk(stage.answered_by)
    desk.keys("F8")
    desk.wait("window", state="correct")
    reply(replace(stage, wizard=desk), number, step)


def _play_scenario(stage: Stage, number: int, step: ScriptStep) -> None:
    if _running_scenario(stage) == step.id:
        return
    stage.wizard.keys("Ctrl+N")
    stage.wizard.wait("scenario_filter", visible=True)
    fill_field(stage.wizard, "scenario_filter", step.id or "")
    stage.wizard.keys("Return")
    stage.wizard.wait("window", scenario=step.id)
    stage.subject.wait("window", state="idle")


def _play_end(stage: Stage, number: int, step: ScriptStep) -> None:
    if not _running_scenario(stage):
        return
    if step.answer is not None and step.how == "typed":
        _type_solution(stage.subject, step.answer)
        stage.wizard.wait("window", solution=step.answer.strip())
    elif step.answer is not None:
        _say_solution(stage, number, step.answer)
    stage.wizard.keys("Ctrl+E")
    stage.wizard.wait("end_answer", visible=True)
    # Once more, and not Enter, which would begin the next one.
    stage.wizard.keys("Ctrl+E")
    stage.wizard.wait("window", scenario="")
    stage.subject.wait("window", shown_scenario="")


def _play_form(stage: Stage, number: int, step: ScriptStep) -> None:
    """Fill in the questionnaire on the subject's screen by its keys, and go on."""
    subject = stage.subject
    shown = str(subject.wait("window", state="form", form=step.id or {"not": ""})["seen"]["form"])
    for item, value in step.values.items():
        answer_item(subject, item, value)
    # Twice where something is left out: the first time leads to it.
    for _ in range(MOST_RETURNS):
        subject.keys("Return")
        if not subject.has("window", form=shown):
            return
    raise CurtainError(f"Step {number} of the script: the subject's station stays at the form {shown}.")


def _play_wizard_form(stage: Stage, number: int, step: ScriptStep) -> None:
    """Keep the wizard's answers until the session has ended."""
    stage.wizard_forms[step.id or ""] = dict(step.values)


def answer_item(subject: RunningStation, item: str, value: str) -> None:
    """Answer one item of the form on the screen by its keys. Raises StationStuck."""
    widgets = subject.look()["widgets"]
    if f"form_{item}" in widgets:
        _go_to(subject, f"form_{item}")
        _enter(subject, value)
        return
    button = f"form_{item}_{value}"
    if button not in widgets:
        raise StationStuck(subject.name, f"an answer {value} to {item}", subject.look())
    first = next(name for name in widgets if name.startswith(f"form_{item}_"))
    _go_to(subject, first)
    # A scale stands in a line, the options of a choice one below the other.
    for key in ("Right", "Down"):
        for _ in range(MOST_TABS):
            if _has_focus(subject, button):
                subject.keys("Space")
                return
            subject.keys(key)
    raise StationStuck(subject.name, f"the cursor in {button}", subject.look())


_PLAYERS: dict[str, Callable[[Stage, int, ScriptStep], None]] = {
    "turn": _play_turn,
    "cancel": _play_cancel,
    "correct": _play_correct,
    "scenario": _play_scenario,
    "end": _play_end,
    "form": _play_form,
    "wizard_form": _play_wizard_form,
    "join": _play_join,
}


def _running_scenario(stage: Stage) -> str:
    return str(stage.wizard.look()["widgets"]["window"].get("scenario", ""))


def _type_solution(subject: RunningStation, answer: str) -> None:
    _go_to(subject, "have_answer")
    subject.keys("Return")
    fill_field(subject, "solution", answer)
    subject.keys("Return")


def _say_solution(stage: Stage, number: int, answer: str) -> None:
    speak(stage, stage.sounds[number])
    stage.turn += 1
    stage.wizard.wait("window", turn=stage.turn, state="transcribe")
    send_query(stage.wizard, f"End scenario. The answer is {answer}")
    stage.answered = stage.turn


def send_query(wizard: RunningStation, query: str | None, answerer: RunningStation | None = None) -> None:
    """Send the turn's query and wait for the next step, at another desk if there is an `answerer`.

    None asks the wizard's window to pass it without one (`Ctrl+L`). Raises StationStuck.
    """
    if query is None:
        wizard.keys("Ctrl+L")
        return
    fill_field(wizard, "query", query)
    wizard.keys("Ctrl+Return")
    (answerer or wizard).wait("window", state="answer")


def reply(stage: Stage, number: int, step: ScriptStep) -> None:
    """Answer the turn as the step says, and wait until the subject sees it. Raises CurtainError, StationStuck."""
    # Before the statement runs: it decides what the minimum answer is.
    mark_yes_no(stage.wizard, step.yes_no)
    nothing_drafts = step.draft and stage.wizard.look()["widgets"]["window"]["draft_state"] == "missing"
    failed = step.draft is not None and not nothing_drafts and take_draft(stage.wizard, number, step.draft)
    statements = step.statements or ([step.otherwise] if step.otherwise and nothing_drafts else [])
    # The statements of the script have the last word over the draft.
    failed = run_statements(stage.wizard, statements) if statements else failed
    if step.message is not None:
        _send_message(stage.wizard, step)
    elif failed:
        raise CurtainError(
            f"Step {number} of the script: its last statement fails, and there is no “message” to send instead."
        )
    else:
        # Before it is sent: afterwards the window is empty for the next turn.
        _take_shot(stage.wizard, stage.shots)
        stage.wizard.keys("Ctrl+Shift+Return")
    stage.wizard.wait("window", answered_turn=stage.answered, state="idle")
    # Painted, not only sent.
    stage.subject.wait("window", shown_turn=stage.answered)
    if step.message is None:
        _take_shot(stage.subject, stage.shots)


def mark_yes_no(wizard: RunningStation, marked: bool | None) -> None:
    """Marks the query as a yes/no question or as none; None leaves what its words say."""
    if marked is not None:
        # F6 turns it over, so only if it is not so already.
        if not wizard.has("yes_no", checked=marked):
            wizard.keys("F6")
        wizard.wait("yes_no", checked=marked)


def take_draft(wizard: RunningStation, number: int, draft: int) -> bool:
    """Takes a draft with its key, as soon as there are any; True if its statement failed. Raises CurtainError."""
    seen = wizard.wait("window", drafts_settled=True, draft_state={"not": ""})["seen"]
    if wizard.look()["widgets"]["window"]["drafts"] < draft:
        # Why there are none: the drafters' own words.
        why = wizard.text_of("drafts_calm") if seen["draft_state"] != "here" else "There are fewer."
        raise CurtainError(f"Step {number} of the script: there is no draft {draft}. {why}")
    wizard.keys(f"Alt+{draft}")
    # The draft stands in the editor before it runs.
    wizard.wait("sql", focus=True, text={"not": ""})
    wizard.wait("window", sql_settled=True, sql_state={"not": "none"})
    return bool(wizard.look()["widgets"]["window"]["sql_state"] == "failed")


def run_statements(wizard: RunningStation, statements: list[str]) -> bool:
    """Runs each statement; True if the last one failed."""
    failed = False
    for statement in statements:
        fill_field(wizard, "sql", statement)
        wizard.keys("F5")
        wizard.wait("window", sql_settled=True)
        failed = wizard.look()["widgets"]["window"]["sql_state"] == "failed"
    return failed


def _send_message(wizard: RunningStation, step: ScriptStep) -> None:
    wizard.keys("Ctrl+M")
    wizard.wait("message_filter", visible=True)
    # A blank first: the key of a favourite would send at once.
    fill_field(wizard, "message_filter", f" {step.message}")
    for name, value in step.blanks.items():
        _go_to(wizard, f"blank_{name}")
        _enter(wizard, value)
    wizard.keys("Return")


def fill_field(station: RunningStation, name: str, text: str) -> None:
    """Type a text into the field `name` once the cursor is there, in place of what it holds. Raises StationStuck."""
    station.wait(name, focus=True)
    _enter(station, text)


def _enter(station: RunningStation, text: str) -> None:
    # Marked whole, so that what is typed replaces it.
    station.keys("Ctrl+A")
    station.type(text)


def _go_to(station: RunningStation, name: str) -> None:
    """Tab until the cursor is there."""
    station.wait(name, visible=True)
    # By Tab, as a person without a mouse: a field that cannot be reached so is a problem of the window.
    for _ in range(MOST_TABS):
        if _has_focus(station, name):
            return
        station.keys("Tab")
    raise StationStuck(station.name, f"the cursor in {name}", station.look())


def _has_focus(station: RunningStation, name: str) -> bool:
    return bool(station.has(name, focus=True))


def speak(stage: Stage, sound: StepSound) -> None:
    """Hold the talk key while the sound plays. Raises StationStuck."""
    press_talk_key(stage)
    stage.voice(sound)
    stage.subject.ask("release", key="Space")


def press_talk_key(stage: Stage) -> None:
    """As a person does, who reads the task first: a turn belongs to the scenario that was painted when the key went
    down, and on a busy machine that may be later than the wizard's station has sent it."""
    stage.subject.wait("window", state="idle", shown_scenario=_running_scenario(stage))
    stage.subject.ask("press", key="Space")
    stage.subject.wait("window", state="listening")


def _title(step: ScriptStep) -> str:
    about = step.type or step.query or step.say or step.audio or step.id or step.answer
    what = "correct the last answer" if step.do == "correct" else step.do
    return f"{what}: {about}" if about else what


def _take_shot(station: RunningStation, folder: Path | None) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        station.ask("resize", w=1280, h=720)
        station.shot(folder / f"{station.name}.png")


def free_address() -> str:
    """An address of this computer at which a station can listen."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def joined(
    stage: Stage, joins: Sequence[ScriptStep], address: str, plan: RehearsalPlan, study: Path, scratch: Path
) -> Iterator[None]:
    """Everybody of these steps sits in a chair, before the session begins. Raises StationStuck."""
    with ExitStack() as stack:
        for step in joins:
            role, who = step.role or "observer", step.who or ""
            shown, code = code_for(stage.wizard, role)
            options = [
                "--study", str(study), "--join", address, "--chair", role, "--wizard", who,
                "--code", code,
            ]  # fmt: skip
            env = {**({"QT_QPA_PLATFORM": "offscreen"} if plan.headless else {}), **own_places(scratch, who)}
            station = RunningStation("wizard", options, study / "logs" / f"{who}.txt", env)
            stage.people[who] = stack.enter_context(station)
            # Each pairing makes another code, which the next one needs.
            stage.wizard.wait("room_code", text={"not": shown})
        yield


def code_for(host: RunningStation, role: str) -> tuple[str, str]:
    """What the host shows, and the code for this role in it. Each pairing makes other codes."""
    host.wait("room_code", text={"contains": f"{role} "})
    shown = host.text_of("room_code")
    return shown, shown.partition(f"{role} ")[2][:7].replace(" ", "")
