import gc
import threading

import pytest
from PySide6.QtCore import QObject, Qt

from curtain.qt.windows.window_program import WHOLE_EVERY, YOUNG, GarbageCollection


@pytest.fixture(autouse=True)
def as_python_does_it(qapp):
    gc.enable()


@pytest.fixture
def collection(as_python_does_it):
    made = GarbageCollection()
    yield made
    made.close()


def circle():
    """An object of Qt that only a collection can free, and the threads in which it was freed."""
    died = []
    thing = QObject()
    thing.itself = thing
    thing.destroyed.connect(lambda: died.append(threading.current_thread().name), Qt.ConnectionType.DirectConnection)
    return thing, died


def dropped_circle():
    return circle()[1]


def make_garbage(objects=20 * YOUNG):
    kept = [[] for _ in range(objects)]
    assert len(kept) == objects


def elsewhere(work):
    thread = threading.Thread(target=work, name="worker")
    thread.start()
    thread.join()


def test_by_itself_python_lets_objects_of_qt_die_in_any_thread():
    gc.collect()
    died = dropped_circle()
    elsewhere(make_garbage)
    assert died == ["worker"]


def test_nothing_is_collected_while_a_worker_makes_objects(collection):
    died = dropped_circle()
    elsewhere(make_garbage)
    assert died == []


def test_the_window_s_thread_collects_by_itself(qtbot, collection):
    died = dropped_circle()
    # Again while it waits: what earlier tests left may be freed meanwhile, which counts against what is made.
    kept, more = [], 2 * YOUNG
    qtbot.waitUntil(lambda: kept.extend([] for _ in range(more * (len(kept) < 30 * more))) or died == ["MainThread"])


def test_little_is_left_alone(collection):
    gc.collect()
    died = dropped_circle()
    collection.look()
    assert died == []


def test_what_lived_long_is_found_in_the_end(collection):
    thing, died = circle()
    gc.collect()
    del thing
    kept = []
    for _ in range(WHOLE_EVERY):
        assert died == []
        kept += [[] for _ in range(2 * YOUNG)]
        collection.look()
    assert died == ["MainThread"]


def test_closing_gives_python_its_own_way_back():
    collection = GarbageCollection()
    assert not gc.isenabled()
    collection.close()
    assert gc.isenabled()


def test_it_rests_while_something_must_not_be_stopped_and_catches_up_behind_it(collection):
    recording = [True]
    collection.busy = lambda: recording[0]
    died = dropped_circle()
    kept = [[] for _ in range(2 * YOUNG)]
    collection.look()
    assert died == []
    recording[0] = False
    collection.look()
    assert died == ["MainThread"]
    assert len(kept) == 2 * YOUNG
