import threading

from curtain.qt.background import Background


def test_the_result_comes_back_on_the_gui_thread(qtbot, background):
    came = []
    background.run(lambda: 6 * 7, lambda future: came.append((future.result(), threading.current_thread())))
    qtbot.waitUntil(lambda: bool(came))
    assert came == [(42, threading.main_thread())]


def test_done_sees_the_exception_that_work_raised(qtbot, background):
    came = []
    background.run(lambda: 1 // 0, lambda future: came.append(future.exception()))
    qtbot.waitUntil(lambda: bool(came))
    assert isinstance(came[0], ZeroDivisionError)


def test_any_future_of_another_thread_can_be_waited_for(qtbot, background):
    from concurrent.futures import Future

    future: Future[str] = Future()
    came = []
    background.when_done(future, lambda done: came.append(done.result()))
    threading.Thread(target=future.set_result, args=("saved",)).start()
    qtbot.waitUntil(lambda: came == ["saved"])


def test_nothing_comes_back_after_closing(qtbot, qapp):
    background = Background(1)
    came = []
    background.run(lambda: 1, lambda future: came.append(future.result()))
    background.close()
    qapp.processEvents()  # what was queued has come then
    assert came == []


def test_a_failure_nobody_looks_at_reaches_the_problems_channel(qtbot, background):
    with qtbot.captureExceptions() as caught:
        background.run(lambda: 1 // 0)
        qtbot.waitUntil(lambda: bool(caught))
    assert caught[0][0] is ZeroDivisionError
