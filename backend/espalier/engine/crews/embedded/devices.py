"""Where workers run, found without importing torch."""

import os
import shutil
import subprocess


def default_devices() -> tuple[str, ...]:
    """All GPUs that this process may see, else the processor."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        count = len([each for each in visible.split(",") if each.strip() not in ("", "-1")])
    elif (tool := shutil.which("nvidia-smi")) is not None:
        listed = subprocess.run([tool, "--list-gpus"], capture_output=True, text=True, check=False)
        count = sum(line.startswith("GPU ") for line in listed.stdout.splitlines())
    else:
        count = 0
    return tuple(f"cuda:{index}" for index in range(count)) or ("cpu",)
