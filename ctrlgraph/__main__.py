"""Start of the command line by `python -m ctrlgraph`."""

import os
import sys

# `-m` looks for modules in the current directory first, which may be an untrusted project; the package itself has been
# found already
if not sys.flags.safe_path:
    try:
        here = os.getcwd()
    except OSError:
        here = ""
    if sys.path[0] in ("", here):
        del sys.path[0]

from ctrlgraph.cli.entry import main

sys.exit(main())
