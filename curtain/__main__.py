"""`python -m curtain` is the command line."""

from curtain.commands.cli import main

main()
