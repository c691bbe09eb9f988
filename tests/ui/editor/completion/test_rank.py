"""The right suggestion is among the first rows of the list, measured on real templates."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.retyping import corpus_files
from tests.benchmarks.completion import rates
from tests.sampling import sample

LEAST = 0.9


def test_right_type_and_property_are_among_the_first_rows(shared: Path) -> None:
    files = [file for _, file in corpus_files(shared)]
    for kind, (share, count, missed) in rates(sample(files, 60)).items():
        assert count > 50, kind
        assert share >= LEAST, (kind, missed)
