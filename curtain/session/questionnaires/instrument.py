"""An instrument: one questionnaire or form as a TOML file, bundled or beside the study."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from curtain.base.errors import CurtainError
from curtain.base.settings_file import convert, parse, read_text
from curtain.session.study.languages import ENGLISH

_BUNDLED = Path(__file__).parent / "bundled"
_MOST_STEPS = 101

Words = Annotated[dict[str, str], Meta(description='a table of languages such as { en = "Yes", de = "Ja" }')]
# No full stop: it parts form and item in the names of answers, and “@” form and scenario.
Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}\Z", description="a short name of a-z, 0-9, “_” and “-”")]


class ChoiceOption(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the answers to a choice."""

    id: Name
    text: Words


class InstrumentItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `[[items]]`.

    `text` is read only, `scale` a whole number from `low` to `high` in steps of `step` between two words, `choice` one
    of `options`, `free` what somebody writes. Nobody goes on without an answer to a `required` item.
    """

    id: Name
    kind: Literal["text", "scale", "choice", "free"]
    text: Words = {}
    low: int = 1
    high: int = 5
    step: Annotated[int, Meta(ge=1, description="a whole number from 1")] = 1
    low_text: Words = {}
    high_text: Words = {}
    options: tuple[ChoiceOption, ...] = ()
    required: bool = False

    def __post_init__(self) -> None:
        if self.kind == "scale" and not 2 <= len(self.values) <= _MOST_STEPS:
            raise ValueError(f"a scale must have from 2 to {_MOST_STEPS} steps; change “low”, “high” or “step”")
        if self.kind == "scale" and self.high not in self.values:
            raise ValueError("the steps of the scale do not reach “high”; change “step”")
        if self.kind == "choice" and len({one.id for one in self.options}) < 2:
            raise ValueError("a choice needs two options or more, each with its own id; write them in “options”")
        if self.kind != "choice" and self.options:
            raise ValueError("“options” belong to a choice; take them out, or set kind = “choice”")
        if self.kind != "scale" and not self.text:
            raise ValueError("“text” is missing; write what is asked")
        if self.kind == "text" and self.required:
            raise ValueError("a text is only read; take “required” out, or set kind = “choice”")

    @property
    def values(self) -> range:
        """The answers that a scale allows."""
        return range(self.low, self.high + 1, self.step)

    @property
    def wordings(self) -> list[Words]:
        """All that is read of it."""
        return [one for one in (self.text, self.low_text, self.high_text) if one] + [one.text for one in self.options]


class Instrument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A questionnaire: whom it asks, after each scenario or at the end of the session, and its items."""

    id: Name
    asks: Literal["subject", "wizard"] = "subject"
    when: Literal["scenario", "session"] = "session"
    title: Words
    source: Annotated[str, Meta(description="a text in quotes")] = ""
    # Nobody answers more, and a page of thousands of fields never opens.
    items: Annotated[
        tuple[InstrumentItem, ...], Meta(min_length=1, max_length=500, description="a list of 1 to 500 items")
    ]

    def __post_init__(self) -> None:
        ids = [one.id for one in self.items]
        if twice := next((name for name in ids if ids.count(name) > 1), ""):
            raise ValueError(f"the item “{twice}” stands twice; give each its own id")
        wordings = [self.title, *(words for item in self.items for words in item.wordings)]
        # English is what is shown where the study's language is missing.
        if not all(words.get(ENGLISH, "").strip() for words in wordings):
            raise ValueError(f"every text needs a wording in “{ENGLISH}”; one of them has none")


def bundled_instruments() -> tuple[str, ...]:
    """The names of the instruments that come with Curtain."""
    return tuple(sorted(path.stem for path in _BUNDLED.glob("*.toml")))


def load_instrument(name: str, folder: Path) -> Instrument:
    """A bundled instrument by its name, or a file that ends in `.toml`, counted from the study's folder.

    Raises CurtainError.
    """
    is_file = name.endswith(".toml")
    if not is_file and name not in bundled_instruments():
        raise CurtainError(
            f"There is no questionnaire “{name}”. Take {', '.join(bundled_instruments())}, or the name of a file that "
            "ends in .toml."
        )
    path = folder / name if is_file else _BUNDLED / f"{name}.toml"
    text = read_text(path)
    instrument = convert(str(path), text, parse(str(path), text), Instrument)
    # Scores follow from the id, so another form under it would get a score that means nothing.
    if is_file and instrument.id in bundled_instruments():
        raise CurtainError(f"{path}: a questionnaire “{instrument.id}” comes with Curtain; give this one another id.")
    return instrument


def load_instruments(names: Sequence[str], folder: Path) -> tuple[Instrument, ...]:
    """All instruments of a study, in its order. Raises CurtainError, also where two have one id."""
    instruments = tuple(load_instrument(name, folder) for name in names)
    ids = [one.id for one in instruments]
    if twice := next((name for name in ids if ids.count(name) > 1), ""):
        raise CurtainError(f"Two questionnaires have the id “{twice}”; give each its own.")
    return instruments
