"""Time that other programs on the machine hardly change: processor seconds of this process, on one thread.

On one thread a process that does not wait takes as long as it computes, so on an idle machine this is the time by the
clock; on a busy one it does not count the turns of others. Everybody is measured so.
"""

import time

import torch

now = time.process_time


def use_one_thread() -> None:
    torch.set_num_threads(1)
