"""Intrinsic functions and conditions: parsed once, evaluated for any stack."""
