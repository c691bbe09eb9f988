"""The effect of edits on the stacks of their templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis.refactorings import Refactored, refactorings_at
from heatstudio.service.edit_effect import NEUTRAL, edit_effect
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import Span

HERE = """heat_template_version: 2021-04-16
parameters:
  key: {type: string}
  size: {type: number, default: 1}
resources:
  a: {type: OS::Heat::Value, properties: {value: {get_param: key}}}
  b: {type: OS::Heat::Value, properties: {value: {get_param: size}}}
"""
OTHER = """heat_template_version: 2021-04-16
resources:
  c: {type: OS::Heat::None}
"""


def effect_of_move(engine: Engine, folder: Path, other: str, name: str, *, here: str = HERE) -> tuple[str, str]:
    """Return the sentence and the refusal of the move of a resource to another stack."""
    (folder / "other.yaml").write_text(other, encoding="utf-8")
    snapshot = Snapshot(here, folder / "here.yaml")
    analysis = engine.analyze(snapshot, None)
    at = here.index(f"{name}: {{type")
    (move,) = (one for one in refactorings_at(analysis, Span(at, at)) if one.title.startswith("Move"))
    assert move.title == f"Move `{name}` to the stack of `other.yaml`"
    effect = edit_effect(engine, snapshot, analysis, move.make())
    return effect.sentence, effect.refusal


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_move_to_another_stack_deletes_here_and_creates_there(engine: Engine, tmp_path: Path) -> None:
    sentence, _ = effect_of_move(engine, tmp_path, OTHER, "b")
    assert sentence == "A stack update: `b` deleted. An update of the stack of `other.yaml`: `b` added."


def test_new_parameter_without_default_needs_a_value(engine: Engine, tmp_path: Path) -> None:
    sentence, _ = effect_of_move(engine, tmp_path, OTHER, "a")
    assert sentence.endswith("`other.yaml`: `a` added. It needs a value for `key`.")


def test_move_that_would_cause_an_error_in_the_other_template_is_refused(engine: Engine, tmp_path: Path) -> None:
    _, refusal = effect_of_move(engine, tmp_path, OTHER.replace("c:", "key:"), "a")
    assert refusal.startswith("This would cause an error in `other.yaml`: ")


def test_edits_without_a_change_of_values_are_neutral(engine: Engine, tmp_path: Path) -> None:
    snapshot = Snapshot(HERE, tmp_path / "here.yaml")
    assert edit_effect(engine, snapshot, engine.analyze(snapshot, None), Refactored(())).sentence == NEUTRAL
