"""How fast and how exact this project is against the published procedures and other libraries: `python -m benchmarks`.

Everything runs in one process, on the same model and the same sentences; what counts are ratios within one run.
"""

# Before torch is imported: its threads wait as they do for everybody who uses this project.
import espalier  # noqa: F401
