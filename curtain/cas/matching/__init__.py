"""The heart of the Comparator: is there a mapping of columns under which one table is contained in another?"""

from .columns import CellColumn
from .containment import columns_without_partner, contains
from .evidence import MismatchEvidence
from .reals.tolerance import Tolerance, tolerance_of
from .row_pairing import rows_agree
from .unmatched_rows import first_lonely, likely_mapping
from .work import DEFAULT_LIMIT, OutOfWork, StepLimit

__all__ = [
    "DEFAULT_LIMIT",
    "CellColumn",
    "MismatchEvidence",
    "OutOfWork",
    "StepLimit",
    "Tolerance",
    "columns_without_partner",
    "contains",
    "first_lonely",
    "likely_mapping",
    "rows_agree",
    "tolerance_of",
]
