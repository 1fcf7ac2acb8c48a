"""The scripts that made the shipped weights. Run them from the repository: `make train MODEL=sst2-minilm`."""

import espalier  # noqa: F401  (before torch: it says how long torch's threads may spin on a busy machine)
