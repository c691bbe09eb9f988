"""How fast Heat Studio is, as ratios within one run: `python -m tests.benchmarks`."""
