"""Model architectures that no maintained library offers any more, written for current PyTorch.

They import torch and transformers and nothing of ours: no registry, no task, no view.
"""
