"""Every key of the home window, once: this table binds the shortcuts, fills F1 and the key strip.

A key of the scope “work” needs a study. Its letter is the mnemonic of its button too: Alt and the letter, where the
system has mnemonics. Ctrl+Shift+U stays free: input methods take it for signs by their number.
"""

from curtain.qt.languages.key_table import APPEARANCE_KEYS, Binding, KeyTable, Step, field_key, listed

KEYS = KeyTable((
    Binding("do_next", ("Ctrl+Return", "Ctrl+Enter"), "Window", "do what the window proposes", "window"),
    field_key("Window", "Tab, Arrows", "next field or row; Space presses a button"),
    Binding("refresh", ("F5",), "Window", "read the study again", "window"),
    Binding("more_actions", ("Ctrl+Shift+K",), "Window", "every action of Curtain, with a search field", "window"),
    Binding("full_screen", ("F11",), "Window", "full screen", "window"),
    *listed(APPEARANCE_KEYS),
    Binding("new_study", ("Ctrl+Shift+N",), "Studies", "new study", "window"),
    Binding("open_study", ("Ctrl+Shift+O",), "Studies", "open a study", "window"),
    Binding("to_studies", ("Ctrl+Shift+L",), "Studies", "to the list: Enter opens, Del takes off", "window"),
    Binding("settings", ("Ctrl+Shift+I",), "Plan", "settings of the study", "window"),
    Binding("words", ("Ctrl+Shift+M",), "Plan", "scenarios, messages and texts, as the subject sees them"),
    Binding("check", ("Ctrl+Shift+H",), "Plan", "check this machine and the study"),
    Binding("both_stations", ("Ctrl+Shift+B",), "Run", "both stations on this machine"),
    Binding("wizard_station", ("Ctrl+Shift+W",), "Run", "the wizard’s station"),
    Binding("subject_station", ("Ctrl+Shift+J",), "Run", "the subject’s station", "window"),
    Binding("trial_session", ("Ctrl+Shift+T",), "Run", "both stations for a trial session"),
    Binding("sample_session", ("Ctrl+Shift+P",), "Run", "play the sample session as a trial"),
    Binding("annotate", ("Ctrl+Shift+A",), "Annotate", "annotate"),
    Binding("score", ("Ctrl+Shift+C",), "Evaluate", "score a system’s answers", "window"),
    Binding("export", ("Ctrl+Shift+E",), "Publish", "export"),
    Binding("retention", ("Ctrl+Shift+D",), "Publish", "until which day sessions may be kept"),
    Binding("to_sessions", ("Ctrl+Shift+S",), "Sessions", "to the sessions: Enter verifies one"),
    Binding("find_session", ("Ctrl+F",), "Sessions", "search the sessions: Down goes to them, Esc shows all"),
    Binding("timeline", ("Ctrl+J",), "Sessions", "timeline of the chosen session: see and hear it"),
    Binding("session_folder", ("Ctrl+Shift+F",), "Sessions", "open the folder of the chosen session"),
    Binding("verify", ("Ctrl+Shift+V",), "Sessions", "verify the chosen session"),
    Binding("repair", ("Ctrl+Shift+R",), "Sessions", "repaired copy of the chosen session"),
    Binding("cancel", ("Ctrl+Shift+X",), "Jobs", "stop what is running", "window"),
    Binding("to_output", ("Ctrl+Shift+Y",), "Jobs", "to the jobs: Enter opens one", "window"),
    Binding("open_result", ("Ctrl+Shift+G",), "Jobs", "open the folder or page that was made", "window"),
    # F1 does not list itself.
    Binding("keys", ("F1",), "", "keys", "window"),
))  # fmt: skip

key_of = KEYS.key_of


def label_of(action: str, text: str) -> str:
    """A button's text with the mnemonic of its key: the first such letter of the text is underlined.

    Where the text has no such letter, it stands behind it. An ampersand in the text is shown as one.
    """
    letter = key_of(action)[-1]
    at = text.lower().find(letter.lower())
    if at < 0:
        text, at = f"{text} ({letter})", len(text) + 2
    before, after = (part.replace("&", "&&") for part in (text[:at], text[at:]))
    return f"{before}&{after}"


def steps_for(action: str, words: str, running: bool, any_study: bool, any_session: bool) -> list[Step]:
    """The strip: what the window proposes first, then the keys of every day that can do something now."""
    first: list[Step] = [(key_of("do_next"), words)] if action else []
    if running:
        first = [(key_of("cancel"), "stop it"), *first]
    corpus = ["annotate", "export"] if any_session else []
    rest = ["both_stations", *corpus] if any_study else ["new_study", "open_study"]
    short = {"both_stations": "both stations", "annotate": "annotate", "export": "export", "new_study": "new study",
             "open_study": "open a study"}  # fmt: skip
    return [*first, *((key_of(name), short[name]) for name in rest if name != action), (key_of("keys"), "keys")]
