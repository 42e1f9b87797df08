"""What must hold between a minimum and a maximum answer (001, section 2.2.2)."""

from curtain.cas import Alternatives, Relation, compare, parse


def check_maximum(minimum: str, maximum: str, dialect: str) -> None:
    """The minimum is the projection of the maximum on its first columns; both are right; one column more is wrong."""
    least, most = (_tables(text, dialect) for text in (minimum, maximum))
    assert len(least) == len(most)
    for one, other in zip(least, most, strict=True):
        assert _rows(one) == {row[: one.width] for row in _rows(other)}
        assert compare(one, minimum, maximum, dialect=dialect).is_correct
        assert compare(other, minimum, maximum, dialect=dialect).is_correct
        if other.columns:
            beyond = tuple(f'"beside the point {row}"' for row in range(other.height))
            assert compare(Relation((*other.columns, beyond)), minimum, maximum, dialect=dialect).outcome == "incorrect"


def _tables(text: str, dialect: str) -> list[Relation]:
    answer = parse(text, dialect)
    answers = answer.answers if isinstance(answer, Alternatives) else (answer,)
    return [one for one in answers if isinstance(one, Relation)]


def _rows(table: Relation) -> set[tuple[str, ...]]:
    return set(zip(*table.columns, strict=True))
