"""Reads any text of sections and entries, the quick way where it tells the same as the slow one."""

from __future__ import annotations

from msgspec.structs import replace

from heatstudio.template.chunks import read_chunks, salvage
from heatstudio.template.reading import Known, Reading, read_whole


def read_text(text: str, known: Known, *, allow_json: bool = True) -> Reading:
    """Read a text; of `known` entries those whose text is still there stay the same objects.

    Environments are read with `allow_json` off: they are YAML as they stand.
    """
    if text.startswith("\ufeff"):
        # Heat's JSON reader refuses the mark, its YAML reader skips it.
        return _shifted(_read(text[1:], known, allow_json=False), 1)
    reading = _read(text, known, allow_json=allow_json)
    if reading.complete or not allow_json or not text[:1].isspace():
        return reading
    # The client cuts off blanks and blank lines at the start of templates (heatclient/common/template_format.py).
    stripped = text.lstrip()
    without = _read(stripped, known, allow_json=allow_json)
    return _shifted(without, len(text) - len(stripped)) if without.complete else reading


def _read(text: str, known: Known, *, allow_json: bool) -> Reading:
    reading = read_chunks(text, known) if known else None
    if reading is not None:
        return reading
    reading = read_whole(text, known, allow_json=allow_json)
    if reading.complete or reading.json or reading.tree is None:
        return reading
    saved = None if known else read_chunks(text, known)
    if saved is not None or reading.tree.problem is None:
        return saved or reading
    saved = salvage(text, reading.tree.problem, {})
    return saved if len(saved.sections) >= len(reading.sections) else reading


def _shifted(reading: Reading, by: int) -> Reading:
    sections = tuple(section.shifted(by) for section in reading.sections)
    problems = tuple(problem.shifted(by) for problem in reading.problems)
    return replace(reading, sections=sections, problems=problems, shift=reading.shift + by)
