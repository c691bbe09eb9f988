"""Benchmarks of Heat Studio, relative to a reference that is measured in the same run: `python -m tests.benchmarks`."""
