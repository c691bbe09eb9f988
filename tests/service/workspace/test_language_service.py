"""One service answers for templates and for environments."""

from pathlib import Path

from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.service.workspace.workspace import Workspace

TEMPLATE = """\
heat_template_version: 2021-04-16
parameters:
  size: {type: number, description: The number of servers.}
outputs:
  o: {value: {get_param: size}}
"""
ENVIRONMENT = "parameters:\n  size: 7\n"


def of_environment(heat: Engine) -> LanguageService:
    owner = Snapshot(TEMPLATE, Path("/a.yaml"))
    snapshot = Snapshot(ENVIRONMENT, Path("/env.yaml"), owner=owner._replace(environments=(Path("/env.yaml"),)))
    return LanguageService.of(heat.analyze(snapshot, None), ENVIRONMENT)


def test_template_answers_for_the_current_text(heat: Engine) -> None:
    analysis = heat.analyze(Snapshot(TEMPLATE), None)
    text = TEMPLATE.replace("size", "count")
    language = LanguageService.of(analysis, text)
    offset = text.rindex("count")
    assert language.text == text
    assert [one.span.start for one in language.definitions(offset)] == [text.index("count")]
    assert language.renamable(offset) is not None
    assert len(language.references(offset)) == 2


def test_environment_answers_from_its_template(heat: Engine) -> None:
    language, offset = of_environment(heat), ENVIRONMENT.index("size")
    (found,) = language.definitions(offset)
    assert (found.file, found.span.start) == ("/a.yaml", TEMPLATE.index("size"))
    hover = language.hover(offset)
    assert hover is not None
    assert any("number of servers" in line for line in hover.lines)
    assert [one.label for one in language.complete(offset, explicit=True)] == ["size"]


def test_environment_refuses_what_belongs_into_the_template(heat: Engine) -> None:
    language, offset = of_environment(heat), ENVIRONMENT.index("size")
    assert language.rename(offset, "other").refusal == "Rename this in the template."
    assert isinstance(language.extract_parameter(ENVIRONMENT.index("7")), str)
    assert language.references(offset) == ()
    assert language.parents(offset, Path("/env.yaml"), Workspace[str](heat)) == ()


def test_parents_are_found_in_the_folders_of_the_workspace(heat: Engine, tmp_path: Path) -> None:
    path, parent = tmp_path / "deep" / "child.yaml", tmp_path / "parent.txt"
    path.parent.mkdir()
    path.write_text(TEMPLATE)
    parent.write_text(TEMPLATE[:34] + "resources:\n  one: {type: deep/child.yaml, properties: {size: 1}}\n")
    workspace = Workspace[str](heat)
    language = LanguageService.of(heat.analyze(Snapshot(TEMPLATE, path), None), TEMPLATE)
    offset = TEMPLATE.index("size")
    assert language.parents(offset, path, workspace) == ()
    workspace.folders = (tmp_path,)
    assert [one.path for one in language.parents(offset, path, workspace)] == [parent]
    assert language.parents(TEMPLATE.index("outputs"), path, workspace) == ()
