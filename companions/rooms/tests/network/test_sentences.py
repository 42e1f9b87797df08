"""What the subject's screen may say of the other room."""

import ast
from pathlib import Path

import pytest

from curtain_rooms.network import dialler, tls_socket


def sentences(module):
    """Every text with a space that is no docstring."""
    tree = ast.parse(Path(module.__file__).read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    return [node.value for node in texts if isinstance(node.value, str) and " " in node.value.strip()]


@pytest.mark.parametrize("module", [dialler, tls_socket])
def test_no_sentence_on_the_subjects_screen_tells_of_a_wizard(module):
    texts = sentences(module)
    assert texts
    assert not [text for text in texts if "wizard" in text.lower()]
