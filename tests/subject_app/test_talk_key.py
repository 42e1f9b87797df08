import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QPushButton, QVBoxLayout, QWidget

from curtain.qt.command_text import CommandLine
from curtain.session.study.study import KEY_NAMES
from subject_app.talk.hold import Hold, Stamp
from subject_app.talk.talk_key import QUESTION, TalkKey

MS = 1_000_000

HOLDS = [
    ("a plain hold", [("down", 0), ("up", 900)], [("down", 0), ("up", 900)]),
    (
        "auto-repeat sends false pairs",
        [("down", 0), ("up", 500), ("down", 500), ("up", 530), ("down", 531), ("up", 1200)],
        [("down", 0), ("up", 1200)],
    ),
    (
        "a pair 49 ms apart is one hold",
        [("down", 0), ("up", 300), ("down", 349), ("up", 800)],
        [("down", 0), ("up", 800)],
    ),
    (
        "a pair 51 ms apart is two holds",
        [("down", 0), ("up", 300), ("down", 351), ("up", 800)],
        [("down", 0), ("up", 300), ("down", 351), ("up", 800)],
    ),
    ("presses alone do not begin again", [("down", 0), ("down", 400), ("up", 700)], [("down", 0), ("up", 700)]),
    ("a release alone is nothing", [("up", 10)], []),
    (
        "false pairs of a key that went down elsewhere begin nothing",
        [("up", 10), ("down", 10), ("up", 50), ("down", 51), ("up", 90)],
        [],
    ),
    (
        "the next press after such pairs begins at once",
        [("up", 10), ("down", 10), ("up", 50), ("down", 200), ("up", 900)],
        [("down", 200), ("up", 900)],
    ),
]


def run(events):
    hold, seen = Hold(), []
    for kind, ms in [*events, ("end", 10_000)]:
        ended = hold.settle(ms * MS)
        if ended:
            seen.append(("up", ended.ns // MS))
        if kind == "down" and hold.press(Stamp(ms * MS, 0.0)):
            seen.append(("down", ms))
        elif kind == "up":
            hold.release(Stamp(ms * MS, 0.0))
    return seen


@pytest.mark.parametrize("events, wanted", [case[1:] for case in HOLDS], ids=[case[0] for case in HOLDS])
def test_a_hold_is_what_the_finger_did(events, wanted):
    assert run(events) == wanted


class Keys:
    """A window with a field and a button, and a talk key on a clock turned by hand."""

    def __init__(self, qtbot, longest_ms=60_000):
        self.now = 0.0
        self.window = QWidget()
        self.field, self.button = QLineEdit(), QPushButton()
        layout = QVBoxLayout(self.window)
        layout.addWidget(self.field)
        layout.addWidget(self.button)
        self.clicks, self.seen = [], []
        self.button.clicked.connect(lambda: self.clicks.append(1))
        self.key = TalkKey(lambda: Stamp(round(self.now * 1e9), self.now + 100), longest_ms=longest_ms)
        self.key.pressed.connect(lambda stamp, source: self.seen.append((source, stamp.ns // MS)))
        self.key.released.connect(lambda stamp, ended_by: self.seen.append(("up", stamp.ns // MS)))
        self.ended_by = []
        self.key.released.connect(lambda stamp, ended_by: self.ended_by.append(ended_by))
        self.key.cancel_requested.connect(lambda: self.seen.append("cancel"))
        self.key.listen(True)
        QApplication.instance().installEventFilter(self.key)
        qtbot.addWidget(self.window)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.button.setFocus()

    def send(self, kind, at, key=Qt.Key.Key_Space, text=" ", repeat=False):
        self.now = at
        target = QApplication.focusWidget() or self.window
        QApplication.sendEvent(target, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text, repeat))

    def down(self, at, **more):
        self.send(QEvent.Type.KeyPress, at, **more)

    def up(self, at, **more):
        self.send(QEvent.Type.KeyRelease, at, **more)

    def turn_away(self, at, kind=QEvent.Type.WindowDeactivate):
        self.now = at
        QApplication.sendEvent(self.window, QEvent(kind))


@pytest.fixture
def make_keys(qtbot):
    made = []

    def make(**options):
        made.append(Keys(qtbot, **options))
        return made[-1]

    yield make
    for each in made:
        QApplication.instance().removeEventFilter(each.key)


@pytest.fixture
def keys(make_keys):
    return make_keys()


def test_holding_the_key_is_reported_with_the_keys_own_times_and_presses_no_button(qtbot, keys):
    keys.down(1.0)
    keys.up(2.0)
    assert keys.seen == [("key", 1000)]
    keys.now = 2.06
    qtbot.waitUntil(lambda: keys.seen == [("key", 1000), ("up", 2000)])
    assert keys.clicks == []


DOWN, UP, AWAY, BUTTON, LET_GO = "down", "up", "turn_away", "press_button", "release_button"
ESCAPE = {"key": Qt.Key.Key_Escape, "text": ""}
ACTS = {
    "what the system calls a repeat is swallowed":
        ([(DOWN, 1.0), (UP, 1.5, {"repeat": True}), (DOWN, 1.5, {"repeat": True})], [("key", 1000)], []),
    "a key let go just before the window is left keeps its own time":
        ([(DOWN, 1.0), (UP, 2.0), (AWAY, 2.02)], [("key", 1000), ("up", 2000)], ["key"]),
    "a window that is left while nothing is held reports nothing": ([(AWAY, 1.0)], [], []),
    "Escape cancels only while the key is held":
        ([(DOWN, 0.5, ESCAPE), (DOWN, 1.0), (DOWN, 1.2, ESCAPE)], [("key", 1000), "cancel"], []),
    "the button on the screen does the same":
        ([(BUTTON, 1.0), (LET_GO, 2.0)], [("button", 1000), ("up", 2000)], ["key"]),
    "the button is let go with the window":
        ([(BUTTON, 1.0), (AWAY, 1.5), (LET_GO, 1.6)], [("button", 1000), ("up", 1500)], ["focus_lost"]),
    "key and button do not mix": ([(DOWN, 1.0), (BUTTON, 1.1), (LET_GO, 1.2)], [("key", 1000)], []),
}  # fmt: skip


@pytest.mark.parametrize("acts, seen, ended_by", ACTS.values(), ids=ACTS)
def test_key_button_and_window_make_a_hold(keys, acts, seen, ended_by):
    for act, at, *more in acts:
        if act in (BUTTON, LET_GO):
            keys.now = at
            getattr(keys.key, act)()
        else:
            getattr(keys, act)(at, **dict(*more))
    assert (keys.seen, keys.ended_by) == (seen, ended_by)


@pytest.mark.parametrize("name, key, text", [("space", Qt.Key.Key_Space, " "), ("F9", Qt.Key.Key_F9, "")])
def test_in_a_text_field_only_a_key_that_types_nothing_talks(keys, name, key, text):
    keys.key.use(name)
    keys.field.setFocus()
    keys.down(1.0, key=key, text=text)
    assert (keys.seen, keys.field.text()) == ([] if text else [("key", 1000)], text)


@pytest.mark.parametrize("text, talks", [("", True), ("who works", False)])
def test_in_an_empty_question_the_space_bar_talks_and_behind_a_word_it_types(keys, text, talks):
    question = CommandLine(text, name=QUESTION)
    keys.window.layout().addWidget(question)
    # A layout shows it later, and only what is shown can have the focus.
    question.show()
    question.setFocus()
    keys.down(1.0)
    assert (bool(keys.seen), question.text()) == (talks, text if talks else f"{text} ")
    if not talks:
        return
    keys.up(1.2)
    keys.down(2.0, key=Qt.Key.Key_W, text="w")
    assert question.text() == "w"


@pytest.mark.parametrize(
    "name, key",
    [("space", Qt.Key.Key_Space), ("F9", Qt.Key.Key_F9), ("b", Qt.Key.Key_B), ("pgdown", Qt.Key.Key_PageDown),
     *((unknown, Qt.Key.Key_Space) for unknown in ("", "pedal", "Ctrl+"))],
)  # fmt: skip
def test_any_key_can_be_named_and_an_unknown_name_means_space(keys, name, key):
    keys.key.use(name)
    keys.down(1.0, key=key, text="")
    assert keys.seen == [("key", 1000)]


def test_every_key_that_a_study_may_name_is_one_of_its_own(caplog):
    named = {}
    for name in KEY_NAMES:
        key = TalkKey(lambda: Stamp(0, 0.0))
        key.use(name)
        named[name] = key.key
    assert not caplog.records
    assert len(set(named.values())) == len(KEY_NAMES)
    assert [name for name, key in named.items() if key == Qt.Key.Key_Space] == ["Space"]
    assert not set(named.values()) & {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}


def test_a_hold_is_heard_to_its_end_where_the_key_listens_no_more(qtbot, keys):
    keys.down(1.0)
    keys.key.listen(False)
    assert keys.key.speaking
    keys.up(2.0)
    keys.now = 2.06
    qtbot.waitUntil(lambda: keys.seen == [("key", 1000), ("up", 2000)])
    assert keys.ended_by == ["key"]
    # From then on it is like any other.
    keys.down(3.0)
    keys.up(3.5)
    assert (len(keys.seen), keys.clicks) == (2, [1])


@pytest.mark.parametrize("kind", [QEvent.Type.WindowDeactivate, QEvent.Type.ApplicationDeactivate])
def test_a_hold_ends_when_the_window_loses_the_keyboard(keys, kind):
    keys.down(1.0)
    keys.turn_away(1.7, kind)
    assert keys.seen == [("key", 1000), ("up", 1700)]
    assert keys.ended_by == ["focus_lost"]
    keys.down(5.0)
    assert keys.seen == [("key", 1000), ("up", 1700), ("key", 5000)]


def test_a_key_still_held_when_the_window_comes_back_begins_nothing_until_it_was_up(qtbot, keys):
    keys.down(1.0)
    keys.turn_away(1.7)
    for at in (3.0, 3.04, 3.08):
        keys.up(at)
        keys.down(at + 0.001)
    for at in (3.12, 3.16):
        keys.up(at, repeat=True)
        keys.down(at, repeat=True)
    keys.up(3.2)
    assert keys.seen == [("key", 1000), ("up", 1700)]
    assert keys.clicks == []
    keys.down(3.5)
    assert keys.seen == [("key", 1000), ("up", 1700), ("key", 3500)]


def test_a_hold_without_end_is_ended_once_and_begins_again_only_after_a_release(qtbot, make_keys):
    keys = make_keys(longest_ms=30)
    keys.down(1.0)
    keys.now = 1.03
    qtbot.waitUntil(lambda: keys.seen == [("key", 1000), ("up", 1030)])
    assert keys.ended_by == ["too_long"]
    for at in (1.5, 1.53):
        keys.up(at)
        keys.down(at + 0.001)
    keys.down(1.55, key=Qt.Key.Key_Escape, text="")
    keys.up(2.0)
    keys.now = 2.06
    assert keys.seen == [("key", 1000), ("up", 1030)]
    keys.down(3.0)
    assert keys.seen == [("key", 1000), ("up", 1030), ("key", 3000)]


def test_a_held_button_is_ended_after_the_longest_time_too(qtbot, make_keys):
    keys = make_keys(longest_ms=30)
    keys.now = 1.0
    keys.key.press_button()
    keys.now = 1.03
    qtbot.waitUntil(lambda: keys.seen == [("button", 1000), ("up", 1030)])


def test_in_a_question_over_the_window_the_key_is_like_any_other(qtbot, keys):
    question = QMessageBox(keys.window)
    question.open()
    keys.send(QEvent.Type.KeyPress, 1.0)
    assert keys.seen == []
    question.close()
    keys.down(2.0)
    assert keys.seen == [("key", 2000)]
