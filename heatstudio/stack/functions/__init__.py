"""Intrinsic functions and conditions: parsed once, evaluated against any stack."""
