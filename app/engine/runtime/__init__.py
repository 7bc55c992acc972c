"""Checkpoints in memory: device, budget, locks, threads, ZeroGPU."""
