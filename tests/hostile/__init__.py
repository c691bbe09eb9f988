"""Malicious and damaged inputs: none may raise an exception, hang, or execute code."""
