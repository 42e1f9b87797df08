"""The heart of the Comparator: is there a mapping of columns under which one table is contained in another?"""

from .columns import Column
from .contain import columns_without_partner, contains
from .evidence import Evidence
from .lonely import first_lonely, likely_mapping
from .tolerance import Tolerance, tolerance_of
from .work import DEFAULT_LIMIT, OutOfWork, Work

__all__ = [
    "DEFAULT_LIMIT",
    "Column",
    "Evidence",
    "OutOfWork",
    "Tolerance",
    "Work",
    "columns_without_partner",
    "contains",
    "first_lonely",
    "likely_mapping",
    "tolerance_of",
]
