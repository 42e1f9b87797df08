"""`python -m curtain` is the command line."""

import sys

# In a clone an older Python starts this, would fail in the first import, and name a module.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Curtain needs Python 3.11 or later, and this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

from curtain.commands.cli import main

main()
