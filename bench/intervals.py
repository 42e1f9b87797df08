"""How often the 95 % interval of a score covers the true score: simulated speakers whose skill is known.

    python bench/intervals.py [--samples 1000]

A speaker of skill p answers 8 to 29 questions, each right with p, wrong with 0.6 (1 - p), else not at all; skills are
drawn from a beta distribution. Beside it, the plain percentiles of the same draws.
"""

from __future__ import annotations

import argparse

import numpy as np
from size import sized

from curtain.cas.scoring.intervals import bootstrap, wilson

SKILLS = {"67 % right": (4, 2), "90 % right": (9, 1), "98 % right": (40, 1)}
SPEAKERS = (5, 8, 12, 20, 30)
WRONG = 0.6
DRAWS = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=sized(300, 2))
    samples = parser.parse_args().samples
    random = np.random.default_rng(1992)
    print(f"{samples} samples each; the 95 % Wilson interval of a coverage of 95 is {_shown(samples)}")
    print(f"{'skill':12}{'speakers':>9}{'covers %':>10}{'half-width':>12}{'percentiles cover %':>21}")
    for name, (alpha, beta) in SKILLS.items():
        for speakers in SPEAKERS:
            print(f"{name:12}{speakers:9}{_row(random, alpha, beta, speakers, samples)}", flush=True)


def _shown(samples: int) -> str:
    interval = wilson(round(0.95 * samples), samples)
    assert interval is not None
    return f"{interval.low:.1f} to {interval.high:.1f}"


def _row(random: np.random.Generator, alpha: int, beta: int, speakers: int, samples: int) -> str:
    skill = alpha / (alpha + beta)
    truth = 100 * (skill - WRONG * (1 - skill))
    ours = plain = width = 0.0
    for seed in range(samples):
        said = [_speaker(random, alpha, beta) for _ in range(speakers)]
        values = [value for one in said for value in one]
        names = [str(number) for number, one in enumerate(said) for _ in one]
        interval = bootstrap(values, names, seed)
        assert interval is not None
        ours += interval.low <= truth <= interval.high
        width += (interval.high - interval.low) / 2
        low, high = _percentiles(random, said)
        plain += low <= truth <= high
    return f"{100 * ours / samples:10.1f}{width / samples:12.1f}{100 * plain / samples:21.1f}"


def _speaker(random: np.random.Generator, alpha: int, beta: int) -> list[float]:
    skill, number = random.beta(alpha, beta), int(random.integers(8, 30))
    chances = random.random(number)
    return [1.0 if one < skill else -1.0 if one < skill + WRONG * (1 - skill) else 0.0 for one in chances]


def _percentiles(random: np.random.Generator, said: list[list[float]]) -> tuple[float, float]:
    sums, sizes = np.array([sum(one) for one in said]), np.array([len(one) for one in said])
    drawn = random.integers(0, len(said), size=(DRAWS, len(said)))
    low, high = np.percentile(100 * sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), (2.5, 97.5))
    return float(low), float(high)


if __name__ == "__main__":
    main()
