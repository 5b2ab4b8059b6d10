"""`python -m ggtp` is the command `ggtp`."""

import sys

from ggtp.ui.cli import main

if __name__ == "__main__":
    sys.exit(main())
