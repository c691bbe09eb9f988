"""Analyses without advice, for tests of other checks: their small templates leave much unused."""

from __future__ import annotations

from msgspec.structs import replace

from heatstudio.analysis import Analysis
from heatstudio.text import CheckFamily


def without_advice(analysis: Analysis) -> Analysis:
    kept = (one for one in analysis.diagnostics if one.family is not CheckFamily.ADVICE)
    return replace(analysis, diagnostics=tuple(kept))
