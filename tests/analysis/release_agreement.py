"""Comparison of the verdicts for a target release with those of the Heat of that release.

`python -m tests.analysis.release_agreement PYTHON [--take N]` validates the templates in the folder `../shared`, all
or N of them in random order, with the Heat of PYTHON, and compares the results with the program's for its release. The
exit status is 0 if there are no false alarms, and at most one in 200 templates is rejected only by Heat without reason.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from random import Random
from tempfile import NamedTemporaryFile

from heatstudio.analysis import Options
from heatstudio.catalog.release import find_release, load_releases
from tests.analysis.agreement import (
    FALSE_ALARM,
    SHARED,
    Difference,
    Row,
    is_certain,
    is_refused,
    reason_of,
    refusal,
    root_of,
)

LEAST = 0.995
VERSION = "from importlib.metadata import version; print(version('openstack-heat'))"
ASK = """
import importlib, runpy, sys
import heat.db
for name in ("api", "models"):  # the tool asks for them where Heat has them since 2023.2
    try:
        importlib.import_module(f"heat.db.{name}")
    except ImportError:
        sys.modules[f"heat.db.{name}"] = module = importlib.import_module(f"heat.db.sqlalchemy.{name}")
        setattr(heat.db, name, module)
sys.path.insert(0, sys.argv[1])
sys.argv = sys.argv[1:]
runpy.run_path(f"{sys.argv[0]}/ask_heat.py", run_name="__main__")
"""

Case = dict[str, object]


def cases(take: int | None) -> list[Case]:
    """Return the templates to validate, including those with planted faults, in a reproducible random order."""
    names = ("validate", "mutants")
    lines = [line for name in names for line in (SHARED / "cases" / f"{name}.jsonl").read_text("utf-8").splitlines()]
    Random(0).shuffle(lines)
    return [json.loads(line) for line in lines[:take]]


def answers(python: str, asked: Sequence[Case]) -> Iterator[Case]:
    """Yield the results of the Heat of an interpreter for each case, in order."""
    corpus = SHARED / "corpus"
    with NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as questions:
        for case in asked:
            environments = case.get("env") or []
            assert isinstance(environments, list)
            given = [part for name in environments for part in ("-e", str(corpus / name))]
            question = ["validate", str(corpus / str(case["file"])), "--root", str(root_of(SHARED, case)), *given]
            questions.write(json.dumps(question) + "\n")
        questions.flush()
        command = [python, "-W", "ignore", "-c", ASK, str(SHARED / "engine"), "batch", questions.name]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            yield from map(json.loads, process.stdout)


def compared(name: str, settings: Options, found: Iterator[tuple[Case, Case]]) -> Row:
    """Return the row with the differences between the results of a Heat and the program's for its release."""
    total, differences = 0, []
    for case, answer in found:
        if answer.get("client") != "ok" or "parse" not in answer or not is_certain(answer):
            continue
        total += 1
        refused, heat = is_refused(SHARED, case, settings=settings), refusal(answer)
        if refused and heat is None:
            differences.append(Difference(str(case["file"]), FALSE_ALARM))
        elif heat is not None and not refused:
            reason = reason_of(SHARED, {**case, "dummy": answer.get("dummy")}, heat["message"], settings)
            differences.append(Difference(f"{case['file']}: {heat['message']}", reason))
    return Row(name, total, tuple(differences))


def main() -> int:
    """Print the row and every difference, and return the exit status."""
    parser = argparse.ArgumentParser("tests.analysis.release_agreement")
    parser.add_argument("python", help="an interpreter that has openstack-heat")
    parser.add_argument("--take", type=int, metavar="N", help="how many templates, in random order")
    options = parser.parse_args()
    if not SHARED.is_dir():
        sys.stderr.write("The folder ../shared with templates and the engine's tool is not here.\n")
        return 2
    version = subprocess.run([options.python, "-c", VERSION], capture_output=True, text=True, check=True).stdout.strip()
    asked = cases(options.take)
    settings = Options(find_release(load_releases(), version))
    row = compared(f"Heat {version}", settings, zip(asked, answers(options.python, asked), strict=False))
    sys.stdout.write(f"{row}\n")
    for difference in row.differences:
        sys.stdout.write(f"    {difference.case}: {difference.reason or 'NO REASON'}\n")
    silent = sum(not difference.reason for difference in row.differences)
    return int(row.false_alarms > 0 or silent > (1 - LEAST) * row.cases)


if __name__ == "__main__":
    sys.exit(main())
