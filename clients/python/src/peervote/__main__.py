"""``python -m peervote doctor``."""

from __future__ import annotations

import sys

from .doctor import main

if __name__ == "__main__":
    sys.exit(main())
