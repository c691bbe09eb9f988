"""Migrations from deprecated and hidden names to their replacements, verified against Heat's behavior."""
