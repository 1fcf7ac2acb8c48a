"""Models are loaded one after the other.

transformers builds a network without its numbers by changing torch for the whole process: whatever another thread
builds meanwhile, a second model or the parser, has no numbers either, and cannot be used.
"""

import threading

ONE_AT_A_TIME = threading.RLock()
