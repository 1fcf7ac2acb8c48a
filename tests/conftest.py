"""For all tests: no model hub, and the same patience on a slow machine as on a fast one."""

import os

from hypothesis import settings

# What is shipped must be enough. Set before anything imports transformers.
os.environ["HF_HUB_OFFLINE"] = "1"

settings.register_profile("espalier", deadline=None)
settings.load_profile("espalier")
