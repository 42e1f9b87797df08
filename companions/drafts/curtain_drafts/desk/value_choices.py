"""What the wizard did to the values of a query, and where these stand after the query was edited. No Qt here."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from curtain.base.words import words_in
from curtain.qt.languages.translation import translate
from curtain_drafts.drafting.values import ALSO, ASKS, BEFORE, SHOWS, WHERE, Chip, Choice, Value

Choices = tuple[Choice, ...]

_ENDINGS = ({""}, {"", "s"}, {"", "es"}, {"y", "ies"})


@dataclass(frozen=True)
class ShownChip:
    """A chip as it is shown: `choice` is what changed it, None as long as it is as it was found; one that is `fixed`
    cannot be taken out."""

    chip: Chip
    choice: Choice | None = None
    fixed: bool = False

    @property
    def removed(self) -> bool:
        """Whether the wizard took the value out."""
        return self.choice is not None and self.choice.value is None

    @property
    def carried(self) -> bool:
        """Whether it was said in the question before, and not again."""
        return self.chip.kind == BEFORE

    @property
    def kind(self) -> str:
        """What it is, in the wizard's language where it is a part of the statement."""
        kinds = {
            ASKS: translate("Chips", "asks for"),
            SHOWS: translate("Chips", "shows"),
            ALSO: translate("Chips", "also show"),
            WHERE: translate("Chips", "where"),
            BEFORE: translate("Chips", "from before:"),
        }
        return kinds.get(self.chip.kind, self.chip.kind)

    @property
    def in_words(self) -> str:
        """The chip in words: its kind and the value that counts."""
        return f"{self.kind} {self.chip.said if self.removed and self.chip.start >= 0 else self._read}".strip()

    @property
    def _read(self) -> str:
        """The value, after the words that were said where these do not name it: `45: SPEECH AND LANGUAGE`."""
        chip, label = self.chip, self.chip.value.label
        if chip.start < 0:
            swapped = self.choice.value if self.choice is not None else None
            return translate("Chips", label if swapped is None else swapped.label)
        words = chip.said.removeprefix(chip.kind).strip()
        if self.choice is not None or _is_named_in(words, label):
            return label
        return f"{words}: {label}"


def _is_named_in(spoken: str, label: str) -> bool:
    """Each word that was said is one of the label's, but for its number: `scientists` by `SCIENTIST`."""
    words = words_in(label.casefold())
    return all(any(_alike(one, word) for word in words) for one in words_in(spoken.casefold()))


def _alike(word: str, other: str) -> bool:
    common = _common(word, other)
    return {word[common:], other[common:]} in _ENDINGS


def moved(choices: Choices, before: str, after: str) -> Choices:
    """The choices after the query was edited from `before` to `after`: those whose words were edited are gone."""
    if before == after:
        return choices
    head = _common(before, after)
    tail = min(_common(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    shifted = (_shifted(one, head, len(before) - tail, len(after) - len(before)) for one in choices)
    return tuple(one for one in shifted if one is not None and _stands(one, after))


def _common(word: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(word, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(word), len(other)))


def _shifted(choice: Choice, edit_start: int, edit_end: int, by: int) -> Choice | None:
    if choice.start < 0 or choice.end <= edit_start:
        return choice
    # The edit touches its words: nobody knows whether they still mean this value.
    if choice.start < edit_end:
        return None
    return Choice(choice.start + by, choice.end + by, choice.said, choice.value)


def _stands(choice: Choice, text: str) -> bool:
    """Its words are still there, and no letter has grown to them."""
    if choice.start < 0:
        return True
    around = text[max(0, choice.start - 1) : choice.start] + text[choice.end : choice.end + 1]
    return text[choice.start : choice.end] == choice.said and not any(one.isalnum() for one in around)


def with_choice(choices: Choices, chip: Chip, value: Value | None) -> Choices:
    """The chip is swapped for another value, or removed if there is none."""
    made = Choice(chip.start, chip.end, chip.said, value)
    return (*without_choice(choices, chip), made)


def without_choice(choices: Choices, chip: Chip) -> Choices:
    """The chip is again as it was found."""
    return tuple(one for one in choices if not _same_place(one, chip))


def shown_chips(chips: Sequence[Chip], choices: Choices, changed: Sequence[Chip]) -> list[ShownChip]:
    """The chips of a draft in the order of their words, with all that were changed and are not among them, so that
    every choice can be taken back: `changed` says what they were."""
    shown = [ShownChip(chip, next((one for one in choices if _same_place(one, chip)), None)) for chip in chips]
    shown += [ShownChip(chip, one) for one in choices for chip in _once(changed, one, chips)]
    # Something must be shown.
    left = [one for one in shown if one.chip.kind == SHOWS and not one.removed]
    fixed = [one for one in shown if one.chip.kind in (ASKS, ALSO)] + (left if len(left) == 1 else [])
    shown = [replace(one, fixed=one.choice is None and one in fixed) for one in shown]
    return sorted(shown, key=lambda one: (one.chip.start < 0, one.chip.start))


def _once(chosen: Sequence[Chip], choice: Choice, chips: Sequence[Chip]) -> Iterator[Chip]:
    """The chip that a choice changed, if it is not found all the same."""
    if any(_same_place(choice, chip) for chip in chips):
        return
    chip = next((chip for chip in reversed(chosen) if chip.said == choice.said), None)
    if chip is not None:
        yield Chip(choice.start, choice.end, chip.said, chip.kind, choice.value or chip.value, chip.others)


def standing(chips: Iterable[Chip], text: str) -> list[Chip]:
    """The chips whose words still stand where they stood."""
    return [chip for chip in chips if chip.start < 0 or text[chip.start : chip.end] == chip.said]


def _same_place(choice: Choice, chip: Chip) -> bool:
    if choice.start < 0:
        return chip.start < 0 and chip.said == choice.said
    return (choice.start, choice.end) == (chip.start, chip.end)
