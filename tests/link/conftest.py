"""The link's tests need no screen."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
