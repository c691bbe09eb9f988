"""The side-by-side comparison of the baseline and the current text."""
