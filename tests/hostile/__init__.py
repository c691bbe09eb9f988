"""Inputs that nobody means well with, or that went wrong on their way: nothing of them may raise, hang or run."""
