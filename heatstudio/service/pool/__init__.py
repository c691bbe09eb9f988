"""Checks of files in other processes."""
