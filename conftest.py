"""What every test has, also those of companions, stands in tests/support/everywhere.py."""

pytest_plugins = ["tests.support.everywhere"]
