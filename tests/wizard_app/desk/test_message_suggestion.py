import pytest

from curtain.session.study.messages import MessageSet, load_message_set
from wizard_app.desk.message_suggestion import fitting, likely


@pytest.fixture(scope="module")
def messages() -> MessageSet:
    return load_message_set("personnel")


@pytest.mark.parametrize("typed", ["3", "unable", "Sorry, the system"])
def test_a_number_an_id_or_first_letters_choose(messages: MessageSet, typed: str) -> None:
    assert fitting(messages, typed)[0].id == "unable"


def test_every_whole_id_chooses_its_own_message(messages: MessageSet) -> None:
    assert [fitting(messages, one.id)[0].id for one in messages.messages] == [one.id for one in messages.messages]


def test_without_letters_all_are_offered(messages: MessageSet) -> None:
    assert len(fitting(messages, " ")) == len(messages.messages)
    assert fitting(messages, "zzz") == []


def test_the_likely_message_can_leave_at_once(messages: MessageSet) -> None:
    unheard, unable = likely(messages, ""), likely(messages, "who is the oldest employee")
    assert (unheard.id, unable.id) == ("not_understood", "unable")
    assert likely(MessageSet(()), "") is None


def test_words_of_the_situation_find_a_message_after_those_that_say_them(messages: MessageSet) -> None:
    for message in messages.messages:
        words = message.when.lower().split()
        assert message in fitting(messages, " ".join(words[:3]))
    assert fitting(messages, "9") == messages.find("9")
