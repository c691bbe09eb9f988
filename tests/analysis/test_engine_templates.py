"""Comparison with the Heat engine on random templates, new ones in each run."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

from heatstudio.analysis import Analysis, analyze
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.analysis.template_maker import ENVIRONMENTS, Data, TemplateMaker

TEMPLATES = 60
UNDECIDED = ("noise", "dummy_suspect", "offline")


def asked(templates: list[Data], python: str, script: Path, folder: Path) -> list[dict[str, object] | None]:
    """Return the engine's error for each template in each environment: {} if accepted, None if a stub decides."""
    lines = []
    for number, template in enumerate(templates):
        path = folder / f"{number}.json"
        path.write_text(json.dumps(template), encoding="utf-8")
        lines += [json.dumps(["validate", str(path), "-P", f"env={name}"]) for name in ENVIRONMENTS]
    batch = folder / "batch"
    batch.write_text("\n".join(lines), encoding="utf-8")
    command = [python, str(script), "batch", str(batch)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    return [_verdict(json.loads(line)) for line in done.stdout.splitlines()]


def _verdict(answer: dict[str, object]) -> dict[str, object] | None:
    full = answer["full"] if answer["full"] != "not reached" else answer["parse"]
    if not isinstance(full, dict):
        return {}
    return None if any(full.get(mark) for mark in UNDECIDED) else full


def look(template: Data, env: str, knowledge: Knowledge) -> Analysis:
    return analyze(Source(parse_template(json.dumps(template)), parameter_values={"env": env}), knowledge)


def errors(analysis: Analysis) -> list[str]:
    """Return the messages of the errors."""
    return [each.message for each in analysis.diagnostics if each.severity is Severity.ERROR]


def differences(
    templates: list[Data], answers: list[dict[str, object] | None], knowledge: Knowledge
) -> tuple[list[object], int]:
    """Return the cases with different verdicts, and the number of compared cases."""
    found: list[object] = []
    cases = [(template, env) for template in templates for env in ENVIRONMENTS]
    compared = 0
    for (template, env), answer in zip(cases, answers, strict=True):
        if answer is None:
            continue
        compared += 1
        told = errors(look(template, env, knowledge))
        if bool(told) != bool(answer):
            found.append({"env": env, "heat": answer.get("message"), "told": told, "template": json.dumps(template)})
    return found, compared


def test_random_templates_have_the_verdicts_of_the_engine(
    heat_python: str, shared: Path, tmp_path: Path, dice: random.Random
) -> None:
    maker = TemplateMaker(dice)
    templates = [maker.template() for _ in range(TEMPLATES)]
    answers = asked(templates, heat_python, shared / "engine" / "ask_heat.py", tmp_path)
    found, compared = differences(templates, answers, load_knowledge())
    assert found == []
    assert compared > TEMPLATES


def test_problem_foreseen_for_another_value_occurs_with_the_value(dice: random.Random) -> None:
    """A diagnostic for another value of `env` is an error if `env` has that value."""
    knowledge = load_knowledge()
    maker = TemplateMaker(dice, slip=0.05)
    for _ in range(TEMPLATES):
        template = maker.template()
        analyses = {env: look(template, env, knowledge) for env in ENVIRONMENTS}
        for env, analysis in analyses.items():
            for name in ENVIRONMENTS:
                foreseen = [one for one in analysis.diagnostics if one.message.startswith(f"When `env` is `{name}`: ")]
                if name != env and foreseen:
                    places = {(one.code, one.span) for one in analyses[name].diagnostics}
                    assert [one for one in foreseen if (one.code, one.span) not in places] == [], (template, env, name)
