"""Syntax errors: their fixes, and the diagnostics that they hide."""
