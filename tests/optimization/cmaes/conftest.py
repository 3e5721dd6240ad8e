"""The functions and the loop that the tests of the optimisers share are imported from here by their names."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
