"""`curtain split` and `forget` as a person calls them: one sentence and exit 2 for bad input."""

from pathlib import Path

import pytest

from tests.support.everywhere import Call


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["split", "nowhere"], "There is no study in nowhere"),
        (["split", "STUDY", "--test", "1.5"], "The share of test is 1.5"),
        (["forget", "STUDY", "e0"], "speaker id 'e0' cannot be used"),
        (["forget", "STUDY", "e00"], "Nothing was erased"),
    ],
)
def test_bad_input_is_one_sentence(toy: Path, call: Call, arguments: list[str], part: str) -> None:
    code, _, seen = call(*(str(toy) if one == "STUDY" else one for one in arguments))
    assert code == 2 and part in seen and len(seen.strip().splitlines()) == 1
    assert (toy / "sessions" / "e00-01").exists()
