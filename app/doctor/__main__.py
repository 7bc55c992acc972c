"""The program; see the package."""

import os
import sys

from app.doctor import main

os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
sys.exit(main())
