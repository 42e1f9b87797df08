"""The wizard's window in the states of a turn, each with as much to say as it may have."""

from dataclasses import replace

from msgspec import structs

from curtain.qt.style import Look
from curtain.session.study.messages import load_message_set
from curtain_drafts.desk.rows import DraftRow
from curtain_drafts.desk.value_choices import ShownChip
from curtain_drafts.drafting.values import Chip, Value
from curtain_drafts.window.panel import DraftsPanel
from curtain_experiments.desk.plan_panel import OperatorPanel
from tests.wizard_app.desk.test_desk_view import GOOD, NOW, OPEN, SENT
from wizard_app.desk.desk_view import desk_view
from wizard_app.desk.next_steps import next_steps
from wizard_app.desk.turn.control import Fields
from wizard_app.desk.turn.statements import SqlState
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.window import WizardWindow

SQL = "SELECT last_name, first_name, salary, weather\nFROM employee\nWHERE department = 45"
WORDS = Fields("which chief scientists in department forty five make more than seventy thousand dollars", SQL)
ROWS = [DraftRow(number, 0.4, SQL, "512 rows", word="probable") for number in range(1, 6)]
CHIPS = [ShownChip(Chip(at, at + 5, "which", "title", Value("job", "CHIEF", "CHIEF SCIENTIST"))) for at in range(6)]
NEWS = "The disk of the subject’s station is nearly full: 2 hours of speech still fit on it."
RULE = "R2: The statement sorts; the order of the rows means nothing in an answer."
MANY = structs.replace(
    GOOD, rows=[["ELAINE", "KRAMER", "$78,400", "EXECUTIVE ASSISTANT"]] * 9, total=423, numeric=[False] * 4,
    headings=["First name", "Last name", "Salary", "Job title"],
)  # fmt: skip
ASKED = replace(NOW, turn=structs.replace(OPEN, query=WORDS.query), fields=WORDS)
TAKEN = replace(ASKED, sql=SqlState.DONE, last=GOOD, good=MANY)
WRONG = structs.replace(GOOD, error="There is no column “weather”.")
FAILED = replace(TAKEN, sql=SqlState.FAILED, last=WRONG, fresh=False)
CORRECTING = replace(TAKEN, turn=SENT, correcting=True)
STATES = {
    "calm": replace(NOW, turn=None),
    "transcribing": NOW,
    "drafts": replace(ASKED, turn=OPEN),
    "draft taken": TAKEN,
    "error": FAILED,
    "messages": TAKEN,
    "error, messages": FAILED,
    "maximum": TAKEN,
    "rules": TAKEN,
    "correcting": CORRECTING,
    "correcting, news": replace(CORRECTING, good=GOOD),
    "experiment": TAKEN,
}


def window_in(state: str, look: Look) -> WizardWindow:
    """The whole window at work, as it is shown."""
    window, drafts, view = WizardWindow(look), DraftsPanel(look), desk_view(STATES[state])
    page = WorkPage(look, drafts, OperatorPanel(look))
    page.messages.set_messages(load_message_set("base"), {})
    window.pages.addWidget(page)
    window.show_page(page)
    page.show_view(view)
    window.show_view(view, next_steps(view))
    drafts.show_rows(ROWS if view.fields.query else [], False, "", "Nothing to draft.")
    drafts.show_chips(CHIPS, False)
    drafts.show_details(NEWS)
    page.query.field.setFocus()
    if "messages" in state:
        page.unfold()
        page.messages.pick()
    if "maximum" in state:
        page.fold_right(False)
        page.side.open(page.answers)
    if "news" in state:
        window.show_problem("disk", NEWS)
        window.show_notice("This database has no principles of interpretation.")
        window.show_trial(True)
    if "experiment" in state:
        page.operator.show_condition("Condition 2 of 2: the system answers.", has_system=True, stopped=False)
        page.operator.show_doing("The system’s reply goes out in 3 seconds.", waits=True)
        page.operator.show_problem("The system gave nothing.")
    page.sql.show_warnings([RULE] * {"experiment": 3, "rules": 2}.get(state, 0))
    return window
