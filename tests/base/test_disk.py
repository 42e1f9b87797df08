"""Names that no file on Windows can have."""

import pytest

from curtain.base.disk import is_reserved


@pytest.mark.parametrize("name", ["con", "CON", "aux.wav", "Com1", "lpt9.tar.gz"])
def test_names_of_devices_are_reserved_in_any_case_and_with_any_ending(name):
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["conny", "com", "a.con", "com12", ""])
def test_other_names_are_not(name):
    assert not is_reserved(name)
