"""A rehearsal's script: JSON lines, one step each, checked before anything starts."""

import re
from pathlib import Path
from typing import Annotated, Literal, get_args, get_type_hints

import msgspec

from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.hearing import Input
from curtain.base.text_file import read_lines_of_text
from curtain.session.roles import CHAIRS, MAY_HOLD, Chair, Part

LARGEST_SCRIPT = 16 * 1024 * 1024
_CONTROL = re.compile(r"[^\n\r\t -~\xa0-\ud7ff\ue000-\U0010ffff]")


class ScriptStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a script (design.md section 7: `curtain rehearse`). `type` is typed by the subject in place of being
    said, and is the query. With `yes_no` None the words of the query decide
    whether it is a yes/no question. `draft` is the number of the draft that is taken, before any `sql` is run,
    and `otherwise` the statement for a desk that drafts nothing. `values`
    are the answers of a form by item; `id` names the form, with “@” and the scenario's id where it is of a scenario.
    A wizard's form is filled in when the session has ended. `who` joins as `role`; `query_by` and `answer_by` name who
    does that part of a turn, of those who joined."""

    do: Literal["turn", "cancel", "correct", "scenario", "end", "form", "wizard_form", "join"] = "turn"
    say: str | None = None
    audio: str | None = None
    type: str | None = None
    query: str | None = None
    sql: list[str] | str | None = None
    message: str | int | None = None
    blanks: dict[str, str] = {}
    yes_no: bool | None = None
    draft: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    otherwise: str = ""
    id: str | None = None
    answer: str | None = None
    how: Literal["typed", "spoken"] = "typed"
    note: str | None = None
    values: dict[str, str] = {}
    who: str | None = None
    role: Chair | None = msgspec.field(default=None, name="as")
    query_by: str | None = None
    answer_by: str | None = None

    @property
    def statements(self) -> list[str]:
        """The step's SQL in the order in which it is run; none, one or several."""
        return [self.sql] if isinstance(self.sql, str) else list(self.sql or [])

    @property
    def asks_database(self) -> bool:
        """Whether a statement runs in this step, be it written in the script or drafted."""
        return bool(self.statements) or self.draft is not None


def read_script(path: Path) -> list[ScriptStep]:
    """The steps of a script. Raises CurtainError naming file, line and problem."""
    with os_errors_as(f"The script {path} cannot be read"):
        lines = read_lines_of_text(path, LARGEST_SCRIPT)
    steps = [_step(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    # The order is checked over all steps, each step by itself before.
    _check_order(path, steps)
    _check_people(path, steps)
    if not steps:
        raise CurtainError(f"The script {path} holds no steps; write one JSON object a line.")
    return steps


def _step(path: Path, number: int, line: str) -> ScriptStep:
    try:
        step = msgspec.json.decode(line, type=ScriptStep)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CurtainError(f"{path}, line {number}: {error}. {_allowed(str(error))}".rstrip()) from error
    problem = _problem(step, path)
    if problem:
        raise CurtainError(f"{path}, line {number}: {problem}.")
    return step


def _check_order(path: Path, steps: list[ScriptStep]) -> None:
    answered = False
    for number, step in enumerate(steps, 1):
        if step.do == "correct" and not answered:
            # A cancelled utterance has no answer.
            raise CurtainError(f"{path}, step {number}: there is no answer yet that a “correct” could correct.")
        answered = answered or step.do == "turn"


def _check_people(path: Path, steps: list[ScriptStep]) -> None:
    roles: dict[str, Chair] = {}
    for number, step in enumerate(steps, 1):
        if step.do == "join":
            if len(roles) != number - 1 or step.who in roles:
                raise CurtainError(
                    f"{path}, step {number}: a “join” stands twice or too late; write all of them first."
                )
            roles[step.who or ""] = step.role or "observer"
        parts: tuple[tuple[str, Part, str | None], ...] = (
            ("query_by", "transcription", step.query_by), ("answer_by", "answer", step.answer_by),
        )  # fmt: skip
        for name, part, who in parts:
            if who is not None and part not in MAY_HOLD.get(roles.get(who, "observer"), ()):
                raise CurtainError(f"{path}, step {number}: nobody joined as “{who}” who may do what “{name}” says.")
        if roles and step.do == "turn" and step.query is None and step.type is None:
            raise CurtainError(f"{path}, step {number}: with several people a turn needs its “query”.")


def _problem(step: ScriptStep, path: Path) -> str | None:
    speaks = step.do in ("turn", "cancel")
    answers = step.do in ("turn", "correct")
    if step.type is not None and not step.type.strip():
        return "“type” is empty; write what the subject types"
    for name, value in msgspec.to_builtins(step).items():
        parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else [value]
        text = " ".join(map(str, parts))
        # A field of one line would end with it, and NUL ends the station.
        if name in ("type", "query", "answer") and not text.isprintable():
            return f"“{name}” has a line break or another control character; write one line"
        if _CONTROL.search(text):
            return f"“{name}” has a control character; take it out"
    if step.type is not None and (step.do != "turn" or step.query or step.say or step.audio):
        return "“type” belongs to a “turn”, without “say”, “audio” and “query”: it is the query"
    if speaks and step.type is None and (step.say is None) == (step.audio is None):
        return f"a “{step.do}” needs either “say” or “audio”, or a turn “type”"
    if step.audio is not None and not (path.parent / step.audio).is_file():
        return f"the file “{step.audio}” is not there (it is looked for beside the script)"
    if answers and not step.asks_database and step.message is None:
        return f"a “{step.do}” needs “sql”, “draft” or “message”"
    if step.draft is not None and step.do == "turn" and not (step.query or step.type):
        return "a “draft” is made for a “query”, and there is none"
    if step.draft is not None and not answers:
        return f"a “{step.do}” takes no “draft”"
    if step.blanks and step.message is None:
        return "“blanks” belong to a “message”, and there is none"
    if step.yes_no is not None and not (answers and step.asks_database):
        return "“yes_no” belongs to “sql”, and there is none"
    if step.values and step.do not in ("form", "wizard_form"):
        return f"a “{step.do}” takes no “values”; they belong to a “form”"
    if step.do == "wizard_form" and not step.id:
        return "a “wizard_form” needs its “id”"
    if step.do == "join" and not (step.who and re.fullmatch("[A-Za-z0-9-]{1,64}", step.who) and step.role):
        return "a “join” needs “who”, of letters, figures and hyphens, and “as”, a role"
    if step.do != "join" and (step.who or step.role):
        return "“who” and “as” belong to a “join”; a turn has “query_by” and “answer_by”"
    if step.do != "turn" and (step.query_by or step.answer_by):
        return f"“{step.do}” takes no “query_by” and no “answer_by”"
    if step.do == "scenario" and not step.id:
        return "a “scenario” needs its “id”"
    return None


def _allowed(problem: str) -> str:
    """What would have been right in the place that the problem names."""
    for name in ("do", "how"):
        if f"$.{name}" in problem:
            # Taken from the type, so that sentence and rule cannot differ.
            choices = get_args(get_type_hints(ScriptStep)[name])
            return f"“{name}” is one of {', '.join(choices)}."
    if "$.as" in problem:
        return f"“as” is one of {', '.join(CHAIRS)}."
    return f"A step may have {', '.join(ScriptStep.__struct_encode_fields__)}." if "unknown field" in problem else ""


def input_of(steps: list[ScriptStep]) -> Input:
    """How the subject of a script asks."""
    spoken = any(step.say or step.audio for step in steps)
    typed = any(step.type for step in steps)
    return "both" if spoken and typed else "text" if typed else "speech"


def scenario_ids(steps: list[ScriptStep]) -> list[str]:
    """The scenarios a script works on, in order, each once."""
    return list(dict.fromkeys(step.id for step in steps if step.do == "scenario" and step.id))
