"""Open texts: what they read, when a known state still holds, who reads whom."""

from pathlib import Path

import pytest

from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.service.workspace.job import StoppedError
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.service.workspace.workspace import OpenText, Workspace
from heatstudio.text import Span

HOT = "heat_template_version: 2021-04-16\n"
PARENT = HOT + "resources:\n  one: {type: child.yaml, properties: {size: 1}}\n"
CHILD = HOT + "parameters:\n  size: {type: number}\n"


@pytest.fixture
def workspace(heat: Engine) -> Workspace[str]:
    return Workspace(heat)


def put(workspace: Workspace[str], path: Path, text: str, environments: tuple[Path, ...] = ()) -> None:
    own = Snapshot(text, path, environments)
    version = workspace.texts[path.name].version + 1 if path.name in workspace.texts else 0
    workspace.put(path.name, OpenText(version, own, path))


def codes(workspace: Workspace[str], key: str) -> list[str]:
    return [one.code for one in workspace.analyze(key).analysis.diagnostics]


def test_state_is_kept_while_nothing_changes(workspace: Workspace[str], tmp_path: Path) -> None:
    (tmp_path / "child.yaml").write_text(CHILD)
    put(workspace, tmp_path / "parent.yaml", PARENT)
    state = workspace.analyze("parent.yaml")
    assert workspace.analyze("parent.yaml") is state
    assert workspace.is_current("parent.yaml")


def test_state_is_replaced_after_any_input_changes(workspace: Workspace[str], tmp_path: Path) -> None:
    child = tmp_path / "child.yaml"
    child.write_text(CHILD)
    put(workspace, tmp_path / "parent.yaml", PARENT)
    assert codes(workspace, "parent.yaml") == []
    assert workspace.readers([child]) == {"parent.yaml"}
    put(workspace, child, CHILD.replace("size", "width"))  # the unsaved text of another tab
    assert not workspace.is_current("parent.yaml")
    assert codes(workspace, "parent.yaml") != []
    workspace.close("child.yaml")
    assert codes(workspace, "parent.yaml") == []
    child.write_text(CHILD.replace("size", "width"))
    assert codes(workspace, "parent.yaml") != []
    state = workspace.analyze("parent.yaml")
    workspace.target = Target("Queens")
    assert workspace.analyze("parent.yaml") is not state


def test_offered_moves_make_no_file_an_input(workspace: Workspace[str], tmp_path: Path) -> None:
    text = HOT + "resources:\n  one: {type: OS::Heat::RandomString}\n"
    for name, content in (("net.yaml", CHILD), ("env.yaml", "parameters: {}\n"), ("draft.yaml", "")):
        (tmp_path / name).write_text(content)
    put(workspace, tmp_path / "main.yaml", text)
    put(workspace, tmp_path / "draft.yaml", CHILD)  # the unsaved text of another tab
    analysis = workspace.analyze("main.yaml").analysis
    offered = LanguageService.of(analysis, text).refactorings(Span(text.index("one"), text.index("one")))
    moves = [one.title for one in offered if "to the stack" in one.title]
    assert moves == ["Move `one` to the stack of `draft.yaml`", "Move `one` to the stack of `net.yaml`"]
    put(workspace, tmp_path / "main.yaml", f"{text}# more\n")
    assert not workspace.analyze("main.yaml").files
    next(one for one in offered if "net.yaml" in one.title).make()
    put(workspace, tmp_path / "main.yaml", f"{text}# even more\n")
    assert set(workspace.analyze("main.yaml").files) == {tmp_path / "net.yaml"}


def test_environment_is_checked_with_the_template_that_uses_it(workspace: Workspace[str], tmp_path: Path) -> None:
    environment, template = tmp_path / "env.yaml", tmp_path / "child.yaml"
    put(workspace, environment, "parameters: {size: many}\n")
    assert codes(workspace, "env.yaml") == []
    put(workspace, template, CHILD, environments=(environment,))
    assert codes(workspace, "env.yaml") == ["invalid-environment"]
    workspace.close("child.yaml")
    template.write_text(CHILD)
    assert codes(workspace, "env.yaml") == []
    workspace.last_environments = {template: (environment,)}
    assert codes(workspace, "env.yaml") == ["invalid-environment"]


def test_template_is_no_environment_of_another_one(workspace: Workspace[str], tmp_path: Path) -> None:
    put(workspace, tmp_path / "child.yaml", CHILD)
    put(workspace, tmp_path / "parent.yaml", PARENT, environments=(tmp_path / "child.yaml",))
    assert workspace.snapshot("child.yaml").owner is None


def test_plan_is_kept_while_its_baseline_is_the_same(workspace: Workspace[str], tmp_path: Path) -> None:
    put(workspace, tmp_path / "child.yaml", CHILD)
    old = Snapshot(HOT, tmp_path / "child.yaml")
    planned = workspace.plan("child.yaml", old)
    assert planned.plan is not None
    assert workspace.plan("child.yaml", old) is planned
    put(workspace, tmp_path / "child.yaml", CHILD + "# more\n")
    analyzed = workspace.analyze("child.yaml")
    assert (analyzed.old, analyzed.plan) == (None, planned.plan)  # shown until there is a plan of this version


def test_innermost_folder_bounds_references(workspace: Workspace[str]) -> None:
    workspace.folders = (Path("/a"), Path("/a/b"))
    assert workspace.root_of(Path("/a/b/c.yaml")) == Path("/a/b")
    assert workspace.root_of(Path("/a/c.yaml")) == Path("/a")
    assert workspace.root_of(Path("/c.yaml")) is None


def test_closed_text_stops_its_analysis(workspace: Workspace[str], tmp_path: Path) -> None:
    put(workspace, tmp_path / "child.yaml", CHILD)
    workspace.close("child.yaml")
    with pytest.raises(StoppedError):
        workspace.analyze("child.yaml")
    assert workspace.state("child.yaml") is None
