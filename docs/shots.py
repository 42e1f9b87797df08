"""Makes the pictures of both stations, of the annotator's and of the home window: `make shots`.

A short session through the real stations, then annotated; `docs/pictures/` gets what the pages show, and the folder
given as an argument (default `out/shots`) every state at 1280x720 and 1920x1080, with a 200-row answer and long text.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import picture_age
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from curtain.rehearsal import player
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import RehearsalPlan, Stage, prepare_sounds, two_stations
from curtain.rehearsal.stations import RunningStation
from curtain.session.study.study import new_study
from curtain_home.control.memory import HomeMemory

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SIZES = ((1280, 720), (1920, 1080))

FEW = (
    "SELECT employee_id, last_name, first_name, salary\nFROM employee\n"
    "WHERE department = 45 AND job_title = 'CHIEF SCIENTIST' AND salary > 70000"
)
MANY = (
    "SELECT employee_id, last_name, first_name, job_title, department, salary, hire_date, street, city\nFROM employee\n"
    "ORDER BY employee_id"
)
LONG = (
    "well I would like to know please which of the people who joined the company before nineteen sixty and who are "
    "still working in one of the departments of the second division – größere Gehälter, déjà vu, Ελλάδα, Россия – "
    "have ever been the supervisor of anybody whose home is in another state than the one they live in themselves"
)


def main() -> None:
    everything = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "shots"
    everything.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    with display(), tempfile.TemporaryDirectory(prefix="curtain-shots-") as scratch:
        scenarios = ["complaint", "advertisement"]
        study = new_study(Path(scratch) / "pilot-2026", "personnel", scenarios, practice="none", take_back_s=0).folder
        plan = RehearsalPlan(script=Path(), domain="personnel", study=study, speaker="e00")
        with two_stations(plan, study, Path(scratch)) as stage:
            play(stage, Path(scratch), everything)
        annotate(study, Path(scratch), everything)
        home(study, Path(scratch), everything)
        practise(study, Path(scratch), everything)
    put_together(everything)


@contextmanager
def display(size: str = "1920x1080") -> Iterator[None]:
    """The display at hand, else a virtual one."""
    if os.environ.get("DISPLAY") or shutil.which("Xvfb") is None:
        yield
        return
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{size}x24", "-noreset"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout
        os.environ["DISPLAY"] = f":{int(server.stdout.readline())}"
        try:
            yield
        finally:
            server.terminate()


def play(stage: Stage, scratch: Path, out: Path) -> None:
    wizard, subject = stage.wizard, stage.subject
    stage.sounds = prepare_sounds(
        [ScriptStep(say="Which chief scientists in department forty five make more than seventy thousand dollars?")],
        scratch / "script", scratch, lambda _: None,
    )  # fmt: skip
    wizard.wait("window", link="up")
    wizard.wait("missing", text={"contains": "speaker"})
    shoot(wizard, out, "wizard-start")
    player.begin_session(stage, "e00")
    shoot(subject, out, "subject-idle")
    turn(stage, out, "few", "which chief scientists in department 45 make more than 70000 dollars", FEW)
    turn(stage, out, "draft", "how many female scientists are there in department 45")
    for picture, name in (("wizard-start", "lab-start"), ("wizard-few", "wizard"), ("subject-few", "subject")):
        keep(out / f"{picture}-1280x720.png", name)
    turn(stage, out, "many", "show me everybody", MANY)
    turn(stage, out, "long", LONG, "SELECT count(*) FROM employee")
    message(stage, out)
    player.end_session(stage)
    shoot(wizard, out, "wizard-closing")
    shoot(subject, out, "subject-closing")


def turn(stage: Stage, out: Path, name: str, query: str, sql: str = "") -> None:
    """Without SQL the first draft is taken."""
    ask(stage)
    shoot(stage.wizard, out, f"wizard-{name}-transcribe")
    player.send_query(stage.wizard, query)
    stage.wizard.wait("window", patience_s=60, drafts_settled=True)
    shoot(stage.wizard, out, f"wizard-{name}-drafts")
    player.run_statements(stage.wizard, [sql]) if sql else player.take_draft(stage.wizard, 1, 1)
    shoot(stage.wizard, out, f"wizard-{name}")
    stage.wizard.keys("Ctrl+Shift+Return")
    stage.subject.wait("window", shown_turn=stage.turn)
    shoot(stage.subject, out, f"subject-{name}")


def message(stage: Stage, out: Path) -> None:
    ask(stage)
    shoot(stage.subject, out, "subject-one-moment")
    player.send_query(stage.wizard, "what is the weather like in irving")
    player.run_statements(stage.wizard, ["SELECT weather FROM employee"])
    shoot(stage.wizard, out, "wizard-error")
    stage.wizard.keys("Ctrl+M")
    stage.wizard.wait("message_filter", focus=True)
    stage.wizard.type("1")
    shoot(stage.wizard, out, "wizard-message")
    keep(out / "wizard-message-1280x720.png", "lab-message")
    stage.wizard.keys("Tab")
    stage.wizard.type("the weather")
    stage.wizard.keys("Return")
    stage.subject.wait("window", shown_turn=stage.turn)
    shoot(stage.subject, out, "subject-message")


def annotate(study: Path, scratch: Path, out: Path) -> None:
    """The session of before in the annotator's window, each turn in another state."""
    with RunningStation("annotator", ["--study", str(study), "--by", "mb"], scratch / "annotator.log") as window:
        window.wait("window", state="annotating", turn=1)
        window.wait("listening", text={"not": ""})
        for keys in ("U", "Ctrl+T", "Home"):
            window.keys(keys)
        window.type("[uh] ")
        window.keys("Esc")
        window.wait("window", drafts_settled=True)
        shoot(window, out, "annotate")
        keep(out / "annotate-1280x720.png", "annotate")
        for turns in (2, 3):
            # A transcription holds no figures: they become words before the turn is done.
            window.keys("Ctrl+W")
            window.keys("Ctrl+Return")
            window.wait("window", turn=turns)
        window.keys("Alt+1")
        window.keys("Ctrl+M")
        window.type(" WHERE")
        window.keys("F5")
        window.wait("window", sql_settled=True)
        shoot(window, out, "annotate-long")
        for width, height in SIZES:
            # Before the keys open: they stand over the middle of the window.
            window.ask("resize", w=width, h=height)
            window.keys("F1")
            window.shot(out / f"annotate-keys-{width}x{height}.png")
            window.keys("Esc")


def home(study: Path, scratch: Path, out: Path) -> None:
    """The same study in the home window in each theme, with its forms, its words page and the timeline."""
    memory = HomeMemory(scratch / "data" / "curtain" / "home.json")
    memory.put_first(study)
    memory.save()
    env = {"XDG_DATA_HOME": str(scratch / "data"), "HOME": str(scratch)}
    for theme in ("contrast", "dark", "light"):
        with RunningStation("home", ["--theme", theme], scratch / "home.log", env) as window:
            window.wait("window", state="study", next="verify")
            window.keys("Ctrl+Shift+V")
            window.wait("window", done="verify", end="good", state="study", running="")
            shoot(window, out, f"home-{theme}")
            for keys, form in (("N", "make_study"), ("E", "export_it"), ("C", "do_action")):
                for width, height in SIZES:
                    # Before the form opens: it stands over the middle of the window.
                    window.ask("resize", w=width, h=height)
                    window.keys(f"Ctrl+Shift+{keys}")
                    window.wait(form, visible=True)
                    window.shot(out / f"home-{theme}-{form}-{width}x{height}.png")
                    window.keys("Esc")
        # Verified sessions are remembered; the next window shall find the study as the first one did.
        memory.save()
        # Each in a window of its own: without a desktop nothing brings the keyboard back from what stays open.
        for keys, shown, says in (("Ctrl+Shift+M", "words_text", " "), ("Ctrl+J", "timeline_line", "Turn")):
            with RunningStation("home", ["--theme", theme], scratch / "home.log", env) as window:
                window.wait("window", state="study", next="verify")
                window.ask("resize", w=1280, h=720)
                window.keys(keys)
                window.wait(shown, text={"contains": says})
                window.shot(out / f"home-{theme}-{shown.partition('_')[0]}-1280x720.png")
    keep(out / "home-light-1280x720.png", "home")


def practise(study: Path, scratch: Path, out: Path) -> None:
    """The first turn of the bundled course: the desk, a wrong reply judged, and the table at the end."""
    course = ROOT / "sample_db" / "personnel" / "course" / "course.json"
    options = ["--study", str(study), "--wizard", "kim", "--course", str(course)]
    with RunningStation("training", options, scratch / "training.log") as window:
        window.wait("window", state="transcribe")
        shoot(window, out, "practice")
        player.send_query(window, "who works in department 45")
        player.run_statements(window, [FEW])
        window.keys("Ctrl+Shift+Return")
        window.wait("window", judged=1)
        shoot(window, out, "practice-judged")
    keep(out / "practice-judged-1280x720.png", "train")


def ask(stage: Stage) -> None:
    player.speak(stage, stage.sounds[1])
    stage.turn += 1
    stage.wizard.wait("window", turn=stage.turn, state="transcribe")


def shoot(station: RunningStation, out: Path, name: str) -> None:
    for width, height in SIZES:
        station.ask("resize", w=width, h=height)
        station.shot(out / f"{name}-{width}x{height}.png")


def keep(picture: Path, name: str) -> None:
    """Take this picture into `docs/pictures`."""
    save_small(QImage(str(picture)), name)


def save_small(image: QImage, name: str) -> None:
    # The 256 colours seen most: a quarter of the bytes, and text stays sharp without dithering.
    pixels = image.convertToFormat(QImage.Format.Format_RGB32)
    colours = Counter(np.frombuffer(pixels.constBits(), np.uint32).tolist())
    table = [colour for colour, _ in colours.most_common(256)]
    small = pixels.convertToFormat(QImage.Format.Format_Indexed8, table, Qt.ImageConversionFlag.ThresholdDither)
    small.save(str(PICTURES / f"{name}.png"), None, 0)
    picture_age.note(name)


def put_together(out: Path) -> None:
    """Both stations of one turn side by side, as README shows them."""
    app = QGuiApplication.instance() or QGuiApplication(["shots", "-platform", "offscreen"])
    assert app is not None
    images = [QImage(str(out / f"{who}-few-1280x720.png")) for who in ("wizard", "subject")]
    gap = 24
    width, height = images[0].width(), images[0].height()
    sheet = QImage(2 * width + 3 * gap, height + 2 * gap, QImage.Format.Format_RGB32)
    sheet.fill(QColor("#5b6470"))
    painter = QPainter(sheet)
    for number, image in enumerate(images):
        painter.drawImage(QRect(gap + number * (width + gap), gap, width, height), image)
    painter.end()
    save_small(sheet, "both")


if __name__ == "__main__":
    main()
