"""The rules as tables of cases, each with the paper and section it comes from."""

import pytest

from curtain.cas import CasError, compare

from .reading_cases import Case, read_cases

CASES = read_cases()


def test_the_verdict_is_as_the_rules_say():
    for case in CASES:
        if case.verdict == "unreadable":
            with pytest.raises(CasError):
                _compared(case)
            continue
        verdict = _compared(case)
        assert verdict.outcome == case.verdict and case.reason in verdict.reason, (str(case), verdict)
        assert bool(verdict.reason) == (verdict.outcome in ("incorrect", "malformed")), str(case)


def _compared(case: Case):
    return compare(
        case.hypothesis, case.reference, case.maximum, dialect=case.dialect, epsilon=case.epsilon, yes_no=case.yes_no
    )
