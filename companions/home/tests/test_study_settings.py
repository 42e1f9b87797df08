"""A form writes study.toml: what was changed is changed, and every remark and every other line stays."""


from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.session.study.study import load_study, new_study, study_of
from curtain_home.control.study_settings import changed, settings

OWN = 'domain = "personnel"  # ours\n\n[texts]\none_moment = "Wait"\n\n[[conditions]]\nid = "a"\nwho = "wizard"\n'

LIST = """scenarios = [
  "a",  # first, since easy
  "b",  # often left
  # the hard ones
  "c",  # hard
  # the end
]  # ours
"""

CASES = [
    ("a word, beside its remark", OWN, {"domain": "atis"}, OWN.replace('"personnel"', '"atis"')),
    ("a key that was left out comes in front of the tables", OWN, {"learn": False},
     OWN.replace("  # ours\n", "  # ours\nlearn = false\n")),
    ("what is as it was when it is left out is not written", OWN, {"seed": "1", "learn": True, "show": "minimum"}, OWN),
    ("a list, a number and a share", 'seed = 1\nscenarios = []\nwizard_level = 0\n',
     {"seed": "7", "scenarios": ("a", "b"), "wizard_level": "0.9"},
     'seed = 7\nscenarios = ["a", "b"]\nwizard_level = 0.9\n'),
    ("remarks inside a list, of what stays, of what goes, and in another order", LIST,
     {"scenarios": ("new", "c", "a")},
     'scenarios = [\n  "new",\n  # often left\n  # the hard ones\n  "c",  # hard\n  "a",  # first, since easy\n'
     '  # the end\n]  # ours\n'),
    ("a list over several lines that is emptied and has remarks", 'scenarios = [  # none yet\n  "a",\n]\n',
     {"scenarios": ()}, 'scenarios = [\n  # none yet\n]\n'),
    ("a list over several lines without remarks stays so", 'scenarios = [\n    "a",\n    "b"\n]\n',
     {"scenarios": ("b",)}, 'scenarios = [\n    "b",\n]\n'),
    ("a key does not come between a remark and its table", 'site = ""\n\n# Other words.\n[texts]\n',
     {"seed": "3"}, 'site = ""\nseed = 3\n\n# Other words.\n[texts]\n'),
    ("nor where there is no key", '# A study.\n\n# Other words, as [here].\n[texts]\n', {"seed": "3"},
     '# A study.\n\nseed = 3\n\n# Other words, as [here].\n[texts]\n'),
    ("nor into a text of several lines", 'site = """\n[a]\n"""\n[texts]\none_moment = """\n[b]"""\n', {"seed": "3"},
     'site = """\n[a]\n"""\nseed = 3\n[texts]\none_moment = """\n[b]"""\n'),
    ("a last line without its end", 'seed = 1', {"learn": False}, "seed = 1\nlearn = false\n"),
    ("an empty file", "", {"seed": "3", "learn": False}, "seed = 3\nlearn = false\n"),
    ("quotation marks as the remark has them", 'show = "minimum"\nsite = ""\nscenarios = []\n',
     {"show": '"full"', "site": '""', "scenarios": ('"a"', "b")},
     'show = "full"\nsite = ""\nscenarios = ["a", "b"]\n'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_set_is_written_and_all_else_stays(text: str, values: dict[str, object], after: str) -> None:
    assert changed(text, values) == after  # type: ignore[arg-type]


def test_each_setting_has_a_remark_and_those_of_a_few_words_offer_them() -> None:
    found = {one.key: one for one in settings()}
    assert all(one.remark.endswith((".", "”.")) for one in found.values())
    assert found["order"].choices == ("fixed", "seeded")
    assert set(found["show"].choices) == {"minimum", "readable", "maximum"}
    assert {"domain", "language", "consent_scopes", "retention_months"} <= found.keys()


def test_a_form_that_changes_nothing_leaves_a_new_study_as_it_is(tmp_path: Path) -> None:
    text = (new_study(tmp_path / "lab", "personnel").folder / "study.toml").read_text("utf-8")
    shown = {one.key: one.left_out for one in settings() if isinstance(one.left_out, bool)}
    assert changed(text, {**shown, "order": "fixed", "deadline_s": "60"}) == text


@pytest.mark.parametrize(("key", "value", "sentence"), [
    ("deadline_s", "soon", "“deadline_s” must be a number of seconds from 1 to 3600."),
    ("talk_key", "Enter", "“talk_key” must be the name of a key"),
    ("scenarios", ("1", "1"), "each named once"),
    ("language", "tlh", "tlh"),
])  # fmt: skip
def test_a_wrong_value_gets_the_sentence_of_a_check(key: str, value: object, sentence: str, tmp_path: Path) -> None:
    path = new_study(tmp_path / "lab", "personnel").folder / "study.toml"
    text = changed(path.read_text("utf-8"), {key: value})  # type: ignore[dict-item]
    with pytest.raises(CurtainError, match=sentence) as in_the_form:
        study_of(path, text)
    path.write_text(text, "utf-8")
    with pytest.raises(CurtainError) as in_the_check:
        load_study(path.parent)
    assert str(in_the_form.value) == str(in_the_check.value)
