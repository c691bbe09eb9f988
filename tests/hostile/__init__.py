"""Malicious or damaged inputs: none of them may raise, hang or run anything."""
