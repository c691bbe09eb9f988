"""Kills of the program at random moments, with the age of the typed text that was lost."""

from __future__ import annotations

import random
import time
from pathlib import Path

from tests.ui.endurance.random_use import report
from tests.ui.lives import ProgramRun

LIMIT = 1.0
"""The maximum age in seconds of lost text; older text must be restored."""
_LONGEST = 4.0
_WORD = "x\n"
_TEXT = "heat_template_version: 2021-04-16\nresources: {}\n"


def kill_at_random(times: int, seed: int, home: Path) -> int:
    """Kill the program and return how often text older than a second was lost, or a file was incomplete."""
    chance, faults, ages = random.Random(seed), 0, list[float]()
    for number in range(times):
        folder = home / str(number)
        folder.mkdir()
        age, is_whole = _lost(folder, chance)
        ages.append(age)
        faults += age > LIMIT or not is_whole
        report(f"{number + 1:3d}: lost {age * 1000:4.0f} ms of typing{'' if is_whole else ', and a file is not whole'}")
    ages.sort()
    report(
        f"seed {seed}: {times} times killed, median {ages[times // 2]:.2f} s, longest {ages[-1]:.2f} s, {faults} faults"
    )
    return faults


def _lost(folder: Path, chance: random.Random) -> tuple[float, bool]:
    """Return the age of the oldest lost key in seconds, and whether both files have a text that was saved."""
    files = [folder / "first.yaml", folder / "second.yaml"]
    for file in files:
        file.write_text(_TEXT, "utf-8")
    typed: dict[str, list[float]] = {file.name: [] for file in files}
    saved = {file.name: {_TEXT} for file in files}
    with ProgramRun(folder, *files) as life:
        until = time.monotonic() + chance.uniform(0, _LONGEST)
        while time.monotonic() < until:
            name = str(life.do("window.session.current.title"))
            life.type_in(_WORD)
            typed[name].append(time.monotonic())
            if chance.random() < 0.05:
                saved[name].add(str(life.do("window.session.current.text")))
                life.do("window.actions_by_name['save'].trigger()")
            if chance.random() < 0.05:
                life.do("window.area.step(1)")
        killed = time.monotonic()
        life.kill()
    is_whole = all(file.read_text("utf-8") in saved[file.name] for file in files)
    with ProgramRun(folder) as life:
        reported = life.state()
    kept = {name: text.count(_WORD) for name, text in zip(reported["files"], reported["texts"], strict=True)}
    lost = [at for name, moments in typed.items() for at in moments[kept.get(name, 0) :]]
    return killed - min(lost, default=killed), is_whole
