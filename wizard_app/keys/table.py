"""Every key of the wizard's window, once: this table binds the shortcuts, fills F1 and words the strip."""

from curtain.qt.languages.key_table import APPEARANCE_KEYS, Binding, KeyTable, Step, field_key, listed
from curtain.qt.languages.translation import translate

KEYS = KeyTable((
    Binding("replay", ("F2",), "Listen", "play again", "window"),
    Binding("back", ("F3",), "Listen", "back 1 second", "window", repeat=True),
    Binding("speed", ("F4",), "Listen", "speed 1.0, 0.8, 0.6, 1.3", "window"),
    Binding("to_query", ("Ctrl+T",), "Query", "to the query"),
    field_key("Query", "Tab in it", "take the grey words"),
    Binding("next_doubt", ("F12",), "Query", "hear the next doubtful word; letters replace it"),
    field_key("Query", "Del, Ctrl+Z, Esc", "a grey word less, undo, all grey again"),
    # A keypad's Enter has a name of its own.
    Binding("send_query", ("Ctrl+Return", "Ctrl+Enter"), "Query", "send the query with its grey words, also again"),
    *(
        Binding(f"draft_{number}", (f"Alt+{number}",), "Drafts" if number == 1 else "", "take a draft and run it",
                shown="Alt+1..5" if number == 1 else "")
        for number in range(1, 6)
    ),
    Binding("to_drafts", ("Ctrl+D",), "Drafts", "to the drafts: Up/Down look, Enter takes"),
    field_key("Drafts", "Del, Ctrl+Z", "there: withdraw the example, bring it back"),
    Binding("to_values", ("Ctrl+K",), "Drafts", "to the chips of a draft: Enter swaps, Del takes one out"),
    Binding("reword", ("Ctrl+R",), "Drafts", "other words, never seen by the subject"),
    Binding("to_sql", ("Ctrl+L",), "SQL", "to the SQL without sending the query"),
    Binding("run", ("F5",), "SQL", "run"),
    Binding("yes_no", ("F6",), "SQL", "yes/no question or not"),
    Binding("failure", ("Ctrl+Shift+P",), "SQL", "an empty answer is a presupposition failure, or not"),
    Binding("rules", ("Ctrl+Shift+R",), "SQL", "to the rules and back"),
    Binding("schema", ("Ctrl+Shift+K",), "SQL", "to the tables and back"),
    Binding("maximum", ("Ctrl+Shift+M",), "SQL", "to the maximum and back"),
    field_key("SQL", "Ctrl+Space", "complete"),
    field_key("SQL", "Ctrl+Up/Down", "earlier statements"),
    Binding("send_answer", ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"), "SQL", "send the answer"),
    Binding("message", ("Ctrl+M",), "Messages", "open"),
    field_key("Messages", "key in a frame", "send that message at once"),
    field_key("Messages", "number or letters", "choose; a blank first searches"),
    field_key("Messages", "Tab", "blanks"),
    field_key("Messages", "Enter", "send"),
    field_key("Messages", "Esc", "close"),
    Binding("turn_list", ("F7",), "Turns", "to the list: Enter looks, F2 plays, F9 notes"),
    Binding("find_turn", ("Ctrl+F",), "Turns", "find a turn by words of its query or SQL"),
    Binding("correct", ("F8",), "Turns", "take back, or correct the last answer or the chosen one"),
    Binding("take_back", ("Ctrl+Shift+B",), "Turns", "take back a reply that has not left yet"),
    Binding("note", ("F9",), "Turns", "note on the turn at work"),
    Binding("task", ("Ctrl+Shift+T",), "Session", "to the scenario and back"),
    Binding("end_scenario", ("Ctrl+E",), "Session", "end of scenario; Enter begins the next"),
    Binding("next_scenario", ("Ctrl+N",), "Session", "next scenario"),
    Binding("pause", ("Ctrl+P",), "Session", "pause, go on"),
    Binding("hand_over", ("Ctrl+Shift+H",), "Session", "hand this part of the turn to another chair"),
    Binding("other_desks", ("Ctrl+Shift+D",), "Session", "the codes with which other desks join, and hide them"),
    Binding("end_session", ("Ctrl+Shift+E",), "Session", "end the session"),
    Binding("answer_call", ("Ctrl+Shift+A",), "Session", "a call for help is seen to", "window"),
    Binding("accept_offer", ("Ctrl+Shift+L",), "Session", "what a red line offers"),
    Binding("full_screen", ("F11",), "Session", "full screen", "window"),
    Binding("fold", ("Ctrl+B",), "Session", "fold the right column"),
    Binding("take_over", ("Ctrl+Shift+O",), "Experiment", "take over this turn"),
    Binding("stop_system", ("Ctrl+Shift+S",), "Experiment", "stop the system, let it go on"),
    *listed(APPEARANCE_KEYS),
    # F1 does not list itself, and what Esc leaves depends on where the cursor is.
    Binding("keys", ("F1",), "", "keys", "window"),
    Binding("leave", ("Escape",), "", "back", "window"),
))  # fmt: skip

key_of = KEYS.key_of


def start_steps() -> list[Step]:
    """The keys of the first page as long as nothing can be started."""
    return [("Tab", translate("Steps", "next field")), ("Alt+Up/Down", translate("Steps", "order of the scenarios"))]
