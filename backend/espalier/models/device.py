"""The device models live on, chosen once at start: the GPU when there is one, else the CPU."""

import torch


def default_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
