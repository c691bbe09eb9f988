"""Verdicts on random templates, compared with the Heat engine."""

from __future__ import annotations

import random
from pathlib import Path

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.text import Severity
from tests.generated.asking import Engine, refusal
from tests.generated.expressions import FILES
from tests.generated.templates import Templates
from tests.load import load_source

NOT_STUBBED = "The Keystone"
"""The start of an error that the stubs lack: Heat rejects an empty name without a request to Keystone."""
UNDECIDED = ("neutron_subnet does not belong to", 'can only concatenate str (not "NoneType")', "'test_tenant_id'")
"""Errors that depend on the cloud, such as the id of a project, and those of types for which Heat fails to look up an
`external_id`."""


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> list[tuple[object, ...]]:
    """Return the templates with different verdicts, each with the engine's error and the program's errors."""
    maker = Templates(knowledge, dice)
    for name, text in FILES.items():
        engine.write(name, text)
    paths = [engine.write(f"{number}.json", maker.template()) for number in range(count)]
    answers = engine.ask([("validate", path) for path in paths])
    found: list[tuple[object, ...]] = []
    for path, answer in zip(paths, answers, strict=True):
        diagnostics = analyze(load_source(Path(path)), knowledge).diagnostics
        errors = [one.heat or one.message for one in diagnostics if one.severity is Severity.ERROR]
        said = refusal(answer)
        if said is None or any(one in said for one in UNDECIDED) or any(NOT_STUBBED in one for one in errors):
            continue
        if bool(said) is not bool(errors):
            found.append((Path(path).read_text("utf-8"), said, errors))
    return found


def test_verdicts_on_templates(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert differences(engine, knowledge, dice, count * 3) == []
