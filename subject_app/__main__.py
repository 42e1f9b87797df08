import sys

from subject_app.app import main

sys.exit(main())
