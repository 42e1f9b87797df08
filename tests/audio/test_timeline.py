import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curtain.audio.timeline import Block, SampleLine

RATE = 16000
ONE_BLOCK = 320


def line_of(pieces):
    return np.concatenate([np.zeros((0, 1), np.int16), *[piece.samples for piece in pieces]])[:, 0]


def through(blocks):
    timeline = SampleLine(RATE)
    return [piece for block in blocks for piece in timeline.add(block)] + timeline.flush()


def blocks_of(steps, jitter=lambda index: 0.0, drift=1.0):
    """Blocks of ones; each step is (frames, frames lost before it)."""
    at, blocks = 0, []
    for index, (frames, lost) in enumerate(steps):
        at += lost
        dated = 50 + at / RATE * drift + jitter(index)
        blocks.append(Block(dated, np.ones((frames, 1), np.int16)))
        at += frames
    return blocks


losses = st.one_of(st.just(0), st.integers(200, 5000))


@given(st.lists(st.tuples(st.just(ONE_BLOCK), losses), min_size=1, max_size=60))
def test_with_an_exact_clock_every_loss_is_found_in_its_place(steps):
    steps = [(steps[0][0], 0), *steps[1:]]
    settled = [*steps, *[(ONE_BLOCK, 0)] * 20]
    expected = np.concatenate([np.repeat(np.int16([0, 1]), [lost, frames]) for frames, lost in settled])
    assert np.array_equal(line_of(through(blocks_of(settled))), expected)


@given(st.lists(st.integers(-9, 900), min_size=40, max_size=120), st.floats(0.9998, 1.0002))
def test_late_dates_and_drift_alone_lose_and_add_nothing(late_ms, drift):
    # every fifth block is dated rightly: callbacks may be late, a second long, but not for ever
    steps = [(ONE_BLOCK, 0)] * len(late_ms)
    blocks = blocks_of(steps, lambda index: late_ms[index] / 1000 if index % 5 else 0.0, drift)
    pieces = through(blocks)
    assert not any(piece.missing for piece in pieces)
    assert line_of(pieces).sum() == len(late_ms) * ONE_BLOCK == len(line_of(pieces))


def test_drift_is_followed_however_long():
    blocks = blocks_of([(ONE_BLOCK, 0)] * 50 * 600, drift=1.0002)
    pieces = through(blocks)
    assert not any(piece.missing for piece in pieces)
    assert max(abs(piece.at - block.captured_at) for piece, block in zip(pieces, blocks, strict=True)) < 0.001


def test_a_sleep_of_an_hour_does_not_fill_the_disk_with_silence():
    pieces = through(blocks_of([(ONE_BLOCK, 0)] * 5 + [(ONE_BLOCK, 3600 * RATE)] + [(ONE_BLOCK, 0)] * 20))
    assert [len(piece.samples) / RATE for piece in pieces if piece.missing] == [60]
    assert pieces[-1].at - 50 > 3600


def test_dates_that_step_back_remove_nothing():
    blocks = blocks_of([(ONE_BLOCK, 0)] * 60, lambda index: 0.1 if index < 20 else 0.0)
    pieces = through(blocks)
    assert len(line_of(pieces)) == 60 * ONE_BLOCK and not any(piece.missing for piece in pieces)
    assert abs(pieces[-1].at - blocks[-1].captured_at) < 0.001


def test_a_block_out_of_step_is_held_only_until_it_is_judged():
    timeline = SampleLine(RATE)
    blocks = blocks_of([(ONE_BLOCK, 0)] * 5 + [(ONE_BLOCK, 800)] + [(ONE_BLOCK, 0)] * 30)
    given_out = [len(timeline.add(block)) for block in blocks]
    assert given_out[:6] == [1, 1, 1, 1, 1, 0]
    assert given_out.index(max(given_out)) - 5 <= 13  # 250 ms later
    assert sum(given_out) == len(blocks) + 1
