"""The heart of the Comparator: is there a mapping of columns under which one table is contained in another?"""

from .cached_property import once
from .columns import CellColumn
from .containment import columns_without_partner, contains
from .evidence import MismatchEvidence
from .keys import is_exact_key
from .reals.compatibility import Nearness
from .reals.tolerance import Tolerance, tolerance_of
from .row_pairing import rows_agree
from .small_tables import decided_by_sets
from .unmatched_rows import first_lonely, likely_mapping
from .work import DEFAULT_LIMIT, OutOfWork, StepLimit

__all__ = [
    "DEFAULT_LIMIT",
    "CellColumn",
    "MismatchEvidence",
    "Nearness",
    "OutOfWork",
    "StepLimit",
    "Tolerance",
    "columns_without_partner",
    "contains",
    "decided_by_sets",
    "first_lonely",
    "is_exact_key",
    "likely_mapping",
    "once",
    "rows_agree",
    "tolerance_of",
]
