"""What the judge's keys do, without a window."""

from dataclasses import replace

import pytest

from curtain.base.errors import CurtainError
from curtain_judge.window.control import JudgeControl
from curtain_judge.window.material import JudgedPair

CLEAR, CORRECT, ERROR = "clear", "correct", "system error message"


def pairs(count=4, **changes):
    return [
        replace(
            JudgedPair(f"p{number}", f"s{number // 3}", number + 1, "", "query", None, "reply", "", "", False,
                       ("clarity", "correctness")),
            **changes,
        )
        for number in range(count)
    ]  # fmt: skip


class Material:
    """Keeps labels in a list; refuses while `fails`."""

    def __init__(self, of, adjudicates=False):
        self.pairs = of
        self.adjudicates = adjudicates
        self.kept = []
        self.fails = False

    def earlier(self, pair):
        return [other for other in self.pairs if other.session == pair.session and other.number < pair.number]

    def standing(self):
        return {(item, question): label for item, question, label, *_ in self.kept}

    def reasons(self):
        return {(item, question): reason for item, question, *_, reason in self.kept if reason}

    def keep(self, item, question, label, seconds, reason=""):
        if self.fails:
            raise CurtainError("The disk is full.")
        self.kept.append((item, question, label, seconds, reason))


class Now:
    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def now():
    return Now()


def control_of(material, now):
    return JudgeControl(material, now, lambda: None)


@pytest.fixture
def material():
    return Material(pairs())


@pytest.fixture
def control(material, now):
    return control_of(material, now)


def test_two_keys_judge_a_pair_and_the_next_one_opens(control, material):
    control.choose("clarity", CLEAR)
    assert control.pair.id == "p0"
    control.choose("correctness", CORRECT)
    assert control.pair.id == "p1"
    assert [kept[:3] for kept in material.kept] == [("p0", "clarity", CLEAR), ("p0", "correctness", CORRECT)]


def test_what_the_log_knows_counts_with_one_key_and_can_be_overruled(now):
    material = Material(pairs(filled=ERROR))
    control = control_of(material, now)
    assert control.state.filled == ERROR
    control.choose("clarity", CLEAR)
    assert [kept[1:3] for kept in material.kept] == [("clarity", CLEAR), ("correctness", ERROR)]
    control.choose("correctness", "incorrect")
    control.choose("clarity", CLEAR)
    assert material.standing()["p1", "correctness"] == "incorrect"
    # What the log said is still there beside what the judge said.
    assert material.pairs[1].filled == ERROR


def test_earlier_pairs_of_the_session_are_in_sight_and_later_ones_never(now):
    control = control_of(Material(pairs(6)), now)
    control.next()
    control.next()
    assert [pair.id for pair in control.state.earlier] == ["p0", "p1"]
    control.next()
    assert control.state.earlier == ()


def test_with_nothing_to_take_back_undo_says_so_until_the_next_label(control):
    control.undo()
    assert control.state.remark == "Nothing to take back in this sitting."
    control.choose("clarity", CLEAR)
    assert control.state.remark == ""


def test_an_undo_that_the_disk_refuses_can_be_tried_again(control, material):
    control.choose("clarity", CLEAR)
    material.fails = True
    control.undo()
    material.fails = False
    control.undo()
    assert control.state.chosen == {}


def test_the_last_pair_judged_says_that_all_are(now):
    control = control_of(Material(pairs(1)), now)
    control.choose("clarity", CLEAR)
    control.choose("correctness", CORRECT)
    assert control.state.finished


def test_idle_time_is_cut_off_and_active_time_adds_up_to_the_pair(control, material, now):
    now.seconds = 7.0
    control.choose("clarity", CLEAR)
    now.seconds = 7.0 + 3600.0
    control.choose("correctness", CORRECT)
    assert [kept[3] for kept in material.kept] == [7.0, 60.0]


def test_where_the_disk_takes_nothing_the_pair_stays_open_and_says_so(control, material):
    material.fails = True
    control.choose("clarity", CLEAR)
    assert control.problem == "The disk is full."
    assert control.state.chosen == {}
    material.fails = False
    control.choose("clarity", CLEAR)
    assert (control.problem, control.state.chosen) == ("", {"clarity": CLEAR})


def test_a_comment_is_kept_beside_the_labels_and_does_not_end_the_pair(control):
    control.comment("  two questions at once ")
    assert control.pair.id == "p0"
    assert control.state.comment == "two questions at once"


# -- adjudicating -----------------------------------------------------------------------------------------


def disputed():
    said = {"correctness": [("ada", CORRECT), ("ben", "incorrect")]}
    return [replace(pair, ask=("correctness",), opinions=said) for pair in pairs(2)]


@pytest.fixture
def dissent():
    return Material(disputed(), adjudicates=True)


@pytest.fixture
def ruler(dissent, now):
    return control_of(dissent, now)


def test_what_the_judges_said_is_hidden_until_it_is_asked_for_and_again_for_the_next_pair(ruler):
    assert not ruler.state.revealed
    ruler.reveal()
    assert ruler.state.revealed
    ruler.next()
    assert not ruler.state.revealed


def test_a_ruling_needs_a_reason(ruler, dissent):
    ruler.choose("correctness", "incorrect")
    assert (ruler.state.wants_reason, dissent.kept) == ("correctness", [])
    ruler.give_reason("  ")
    assert ruler.problem == "Give the reason for the ruling in a few words."
    ruler.give_reason("the fare is missing")
    assert dissent.kept == [("p0", "correctness", "incorrect", 0.0, "the fare is missing")]
    assert ruler.pair.id == "p1"


def test_a_question_on_which_judges_agree_is_not_open_to_the_adjudicator(ruler, dissent):
    ruler.choose("clarity", CLEAR)
    ruler.give_reason("why not")
    assert dissent.kept == []


def test_a_choice_that_is_dropped_is_no_ruling(ruler, dissent):
    ruler.choose("correctness", "incorrect")
    ruler.drop_choice()
    ruler.give_reason("too late")
    assert (ruler.state.chosen, dissent.kept) == ({}, [])


def test_a_reason_without_a_choice_asks_for_one(ruler):
    ruler.wish_reason()
    assert ruler.state.remark == "Choose a label first; then give its reason."
