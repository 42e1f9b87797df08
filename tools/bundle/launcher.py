"""What the standalone program starts: `curtain`, or with `-m MODULE` one of our modules as a process of its own."""

import multiprocessing
import runpy
import sys

multiprocessing.freeze_support()
if sys.argv[1:2] == ["-m"]:
    del sys.argv[1]
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
else:
    from curtain.commands.cli import main

    main()
