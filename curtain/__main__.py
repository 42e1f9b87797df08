"""`python -m curtain` is the command line."""

from curtain.cli import main

main()
