"""`python -m ctrlgraph`."""

import sys

from ctrlgraph.cli.main import main

sys.exit(main())
