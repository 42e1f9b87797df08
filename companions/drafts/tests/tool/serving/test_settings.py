"""What the table [drafters] of a study.toml may say."""

import tomllib

import pytest

from curtain.base.errors import CurtainError
from curtain_drafts.tool.serving.settings import DrafterChoice, read_settings


def read(text: str) -> tuple[DrafterChoice, ...]:
    return read_settings(tomllib.loads(text), None).drafters


CHAT = 'chat.address = "http://localhost:8000/v1/chat/completions"\nchat.model = "m"\n'


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ["curtain"]), ("curtain = true", ["curtain"]), ("curtain = false", []),
        ("mine = true", ["curtain", "mine"]), ("curtain = false\nmine.folder = 'x'", ["mine"]),
        ("mine = false", ["curtain"]), (CHAT, ["curtain", "chat"]),
        ('[curtain]\nexamples = ["more.jsonl"]', ["curtain"]),
    ],
)  # fmt: skip
def test_ours_is_on_unless_it_is_switched_off_and_others_only_if_they_are_named(text: str, names: list[str]) -> None:
    assert [choice.name for choice in read(text)] == names


def test_a_drafter_gets_its_own_keys_and_the_service_those_of_time_and_surroundings() -> None:
    _, mine = read('mine.folder = "x"\nmine.limit_s = 5\nmine.start_s = 90\nmine.environment = ["DEVICES"]')
    assert mine == DrafterChoice("mine", {"folder": "x"}, 5.0, 90.0, ("DEVICES",))


def test_the_chat_drafter_gets_its_key_and_more_time() -> None:
    _, chat = read(CHAT + 'chat.key_from = "CURTAIN_KEY_LAB"')
    assert (chat.limit_s, chat.environment) == (20.0, ("CURTAIN_KEY_LAB",))


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("mine = 3", "[drafters]: “mine” must be true, false or a table of its settings."),
        ("mine.limit_s = 0", "[drafters.mine]: “limit_s” must be a number of seconds above 0, up to 600."),
        ("mine.start_s = nan", "[drafters.mine]: “start_s” must be a number of seconds above 0, up to 600."),
        ("mine.environment = 'A'", "[drafters.mine]: “environment” must be a list of names of variables in quotes."),
        ("chat = true", "[drafters.chat]: “address” is missing; add it: a web address such as"),
        ("chat.address = 'http://localhost:1'", "[drafters.chat]: “model” is missing"),
        ("chat.address = 'localhost'\nchat.model = 'm'", "“address” must be a web address"),
        ("chat.address = 'file:///etc/passwd'\nchat.model = 'm'", "“address” must be a web address"),
        ("chat.address = 'http://[::/v1'\nchat.model = 'm'", "“address” must be a web address"),
        ("chat.address = 'http://h:99999'\nchat.model = 'm'", "“address” must be a web address"),
        (CHAT + "chat.replies = 'x'", "[drafters.chat]: “replies” must be a number from 1 to 5."),
        (CHAT + "chat.key_from = 'HOME'", "“key_from” must be a variable whose name begins with CURTAIN_KEY_."),
        (CHAT + "chat.key_from = 'CURTAIN_KEY_'", "“key_from” must be a variable whose name begins with CURTAIN_KEY_."),
        (CHAT + "chat.key_from = 'CURTAIN_KEY_A B'", "“key_from” must be a variable whose name begins with"),
        (
            "chat.address = 'http://h/\\u001b[2K'".replace("'", '"') + "\nchat.model = 'm'",
            "“address” must be a web address",
        ),
        ("chat.address = 'http://сhat.example/'\nchat.model = 'm'", "“address” must be a web address"),
        (CHAT + "chat.tokens = 0", "[drafters.chat]: “tokens” must be a number from 1."),
        (CHAT + "chat.key = 'secret'", "[drafters.chat]: “key” is not known here."),
        ("curtain.model = 'x'", "[drafters.curtain]: “model” is not known here. Known are: examples, meaning."),
        ("curtain.meaning = ''", "[drafters.curtain]: “meaning”"),
        ("curtain.examples = 'x'", "[drafters.curtain]: “examples” must be a list of files in quotes."),
    ],
)
def test_a_table_that_cannot_be_used_is_reported_in_one_sentence(text: str, reported: str) -> None:
    with pytest.raises(CurtainError) as refused:
        read(text)
    assert reported in str(refused.value)
