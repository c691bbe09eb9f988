"""Random templates, compared with the engine (which HEAT_PYTHON names)."""

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
"""Heat refuses an empty name without asking Keystone, which the stubs of the engine do not."""
UNDECIDED = ("neutron_subnet does not belong to", 'can only concatenate str (not "NoneType")', "'test_tenant_id'")
"""What only a cloud knows, such as the id of a project; and the types that have no `external_id` because Heat fails to
look one up."""


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> list[tuple[object, ...]]:
    """The templates of which we think otherwise, what the engine says, and our errors."""
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


def test_templates(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert differences(engine, knowledge, dice, count * 3) == []
