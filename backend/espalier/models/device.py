"""The device models live on, chosen once at start: the GPU when there is one, else the CPU."""

import torch

from espalier.models.precision import Precision, Wanted
from espalier.problems import BadModel

BFLOAT16_SINCE = (8, 0)
"""NVIDIA's compute capability from which on bfloat16 is computed, not imitated: Ampere, 2020."""


def default_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16(device: torch.device) -> bool:
    """Whether it is computed there. A processor always does: slowly, where it has to imitate it."""
    return device.type != "cuda" or torch.cuda.get_device_capability(device) >= BFLOAT16_SINCE


def precision_on(device: torch.device, wanted: Wanted) -> Precision:
    """What is wanted, as far as a device has it."""
    if wanted == "half":
        if device.type != "cuda":
            return "float32"
        # The range of bfloat16 is that of float32: nothing overflows that did not.
        return "bfloat16" if has_bfloat16(device) else "float16"
    if wanted == "bfloat16" and not has_bfloat16(device):
        raise BadModel(f"no bfloat16 on {device}: got a GPU from before 2020, possible are float16, half and float32")
    return wanted


def sum_exactly() -> None:
    """Single precision is single precision, on a GPU too: torch would let convolutions round their inputs to ten bits
    (TF32), and let the partial sums of half precision be half precision."""
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
