"""Verdicts on random projects with environments, groups and nested stacks, compared with the Heat engine."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
import yaml

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.text import DocumentError, Severity
from tests.generated.asking import Engine, refusal
from tests.generated.environments import Environments
from tests.generated.groups import Groups
from tests.generated.members import MemberTemplates
from tests.generated.projects import Project, Projects
from tests.generated.values import Data
from tests.load import load_source

UNDECIDED = ("was not provided", "not assigned", "Unrecognized value 'None'", "The Resource Type (My::")
"""Errors of Heat that the program does not report: values that may still be set, and types of a possible plug-in.

The third is that of a boolean parameter without a value (heat/engine/parameters.py, BooleanParam.value).
"""
PLUGIN = "Unknown plug-in type "
"""The start of the program's message about a type that a plug-in may add."""


class Maker(Protocol):
    """A generator of random projects."""

    def project(self) -> Project:
        """Return the files of the next project: the template `main.yaml`, and environments with names `env*`."""
        ...


def question(engine: Engine, number: int, project: Project) -> list[str]:
    """Write the files of a project, and return the question for the engine."""
    paths = {name: engine.write(f"{number}/{name}", written(data)) for name, data in project.items()}
    (engine.folder / f"{number}/binary.txt").write_bytes(b"\xff\xfe")
    environments = sorted(path for name, path in paths.items() if name.startswith("env"))
    return ["validate", paths["main.yaml"], *(word for path in environments for word in ("-e", path))]


def written(data: Data | str) -> str:
    """Return the text of a file: data as JSON, or in a third of the cases as YAML, which has non-string keys too."""
    if isinstance(data, str):
        return data
    text = json.dumps(data)
    return yaml.safe_dump(data, sort_keys=False) if len(text) % 3 == 0 else text


def reported(path: Path, knowledge: Knowledge) -> tuple[list[str], bool]:
    """Return the program's errors, and whether the project has an unknown plug-in type."""
    try:
        source = load_source(path, sorted(path.parent.glob("env*.yaml")))
    except DocumentError as error:
        return [str(error)], False
    found = analyze(source, knowledge).diagnostics
    errors = [one.message for one in found if one.severity is Severity.ERROR]
    return errors, any(PLUGIN in one.message for one in found)


def differences(engine: Engine, knowledge: Knowledge, maker: Maker, count: int) -> list[tuple[object, ...]]:
    """Return the projects with different verdicts, each with the engine's error and the program's errors."""
    projects = [maker.project() for _ in range(count)]
    questions = [question(engine, number, project) for number, project in enumerate(projects)]
    found: list[tuple[object, ...]] = []
    for project, asked, answer in zip(projects, questions, engine.ask(questions), strict=True):
        errors, is_open = reported(Path(asked[1]), knowledge)
        said = refusal(answer)
        if said is None or bool(said) is bool(errors):
            continue
        if not said or not (is_open or any(one in said for one in UNDECIDED)):
            found.append((json.dumps(project), said, errors))
    return found


@pytest.mark.parametrize("kind", [Projects, MemberTemplates, Environments, Groups])
def test_verdicts_on_projects(
    kind: Callable[[Knowledge, random.Random], Maker],
    engine: Engine,
    knowledge: Knowledge,
    dice: random.Random,
    count: int,
) -> None:
    assert differences(engine, knowledge, kind(knowledge, dice), count * 3) == []
