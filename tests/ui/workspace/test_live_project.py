"""A change is applied immediately in all files that read the changed file, whether saved or open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from heatstudio.update.plan.update_plan import ResourceChange
from tests.ui.bench import bench
from tests.ui.opening import opened_document, plan_of

HOT = "heat_template_version: 2021-04-16\n"
CHILD = HOT + (
    "parameters:\n  size: {type: number}\n"
    "resources:\n  value: {type: OS::Heat::RandomString, properties: {length: {get_param: size}}}\n"
)
TEXTS = {
    "parent.yaml": HOT + "resources:\n  middle: {type: nested/middle.yaml}\n",
    "nested/middle.yaml": HOT + "resources:\n  child: {type: child.yaml, properties: {size: 5}}\n",
    "nested/child.yaml": CHILD,
    "script.yaml": HOT
    + "resources:\n  config: {type: OS::Heat::RandomString, properties: {salt: {get_file: setup.sh}}}\n",
    "setup.sh": "echo 1\n",
    "mapped.yaml": HOT + "resources:\n  child: {type: My::Child, properties: {size: 5}}\n",
    "settings.env": "resource_registry: {My::Child: nested/child.yaml}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "project"


def open_file(qtbot: QtBot, window: Window, file: Path) -> Document:
    """Open a file, and wait until it is analyzed and previewed."""
    document = opened_document(window.session, file)
    qtbot.waitUntil(lambda: plan_of(document) is not None and not window.session.is_analyzing)
    return document


def messages(document: Document) -> list[str]:
    return [problem.message for problem in document.state.analysis.diagnostics] if document.state is not None else []


def actions(document: Document) -> dict[str, str]:
    """Return the outcomes of the innermost resources."""
    plan = plan_of(document)
    return dict(innermost(plan.changes)) if plan is not None else {}


def innermost(changes: tuple[ResourceChange, ...]) -> Iterator[tuple[str, str]]:
    for change in changes:
        yield from innermost(change.members) if change.members else [(change.name, str(change.action))]


def test_unsaved_nested_template_is_used_until_it_is_closed(qtbot: QtBot, real: Window, folder: Path) -> None:
    parent = open_file(qtbot, real, folder / "parent.yaml")
    middle = open_file(qtbot, real, folder / "nested" / "middle.yaml")
    child = open_file(qtbot, real, folder / "nested" / "child.yaml")
    assert (messages(middle), actions(parent)) == ([], {"value": "unchanged"})
    child.change(CHILD.replace("RandomString, properties: {length", "RandomString, properties: {salt: x, length"))
    qtbot.waitUntil(lambda: actions(parent) == {"value": "replaced"})
    child.change(CHILD.replace("size: {type", "size: {constraints: [{range: {min: 8}}], type"))
    qtbot.waitUntil(lambda: any("is too small" in message for message in messages(middle)))
    real.session.close(child)
    qtbot.waitUntil(lambda: (messages(middle), actions(parent)) == ([], {"value": "unchanged"}))


def test_unsaved_script_is_used(qtbot: QtBot, real: Window, folder: Path) -> None:
    template = open_file(qtbot, real, folder / "script.yaml")
    script = open_file(qtbot, real, folder / "setup.sh")
    script.change("echo 2\n")
    qtbot.waitUntil(lambda: actions(template) == {"config": "replaced"})
    script.change("echo 1\n")
    qtbot.waitUntil(lambda: actions(template) == {"config": "unchanged"})


def test_unsaved_environment_and_its_nested_template_are_used(qtbot: QtBot, real: Window, folder: Path) -> None:
    template = open_file(qtbot, real, folder / "mapped.yaml")
    real.session.set_environments(template, (folder / "settings.env",))
    environment = open_file(qtbot, real, folder / "settings.env")
    child = open_file(qtbot, real, folder / "nested" / "child.yaml")
    qtbot.waitUntil(lambda: messages(template) == [])
    child.change(CHILD.replace("size", "length"))
    qtbot.waitUntil(lambda: any("size" in message for message in messages(template)))
    child.change(CHILD)
    qtbot.waitUntil(lambda: messages(template) == [])
    environment.change("parameters: {nobody: 1}\n" + environment.text)
    qtbot.waitUntil(lambda: messages(environment) != [])
    environment.change(TEXTS["settings.env"].replace("nested/child", "missing"))
    qtbot.waitUntil(lambda: any("missing.yaml" in message for message in messages(template)))


def test_environment_follows_its_template(qtbot: QtBot, real: Window, folder: Path) -> None:
    template = open_file(qtbot, real, folder / "nested" / "child.yaml")
    (folder / "size.env").write_text("parameters: {size: 5}\n")
    real.session.set_environments(template, (folder / "size.env",))
    environment = open_file(qtbot, real, folder / "size.env")
    assert messages(environment) == []
    template.change(CHILD.replace("size", "length"))
    qtbot.waitUntil(lambda: any("size" in message for message in messages(environment)))


def test_nested_template_changed_deleted_and_restored_on_disk(qtbot: QtBot, real: Window, folder: Path) -> None:
    parent, child = open_file(qtbot, real, folder / "nested" / "middle.yaml"), folder / "nested" / "child.yaml"
    child.write_text(CHILD.replace("size", "length"))
    qtbot.waitUntil(lambda: any("size" in message for message in messages(parent)))
    (folder / "new").write_text(CHILD)
    (folder / "new").replace(child)
    qtbot.waitUntil(lambda: messages(parent) == [])
    child.unlink()
    qtbot.waitUntil(lambda: any("child.yaml" in message for message in messages(parent)))
    child.write_text(CHILD)
    qtbot.waitUntil(lambda: messages(parent) == [])


def test_closed_files_that_read_an_open_file_are_checked_again(qtbot: QtBot, real: Window, folder: Path) -> None:
    real.session.open_folder(folder)
    child = open_file(qtbot, real, folder / "nested" / "child.yaml")
    qtbot.waitUntil(lambda: not bench(real).folder_problems.is_under_way)

    def closed_messages() -> set[str]:
        return {one.question.path.name for one in bench(real).folder_problems.checked() if one.diagnostics}

    assert closed_messages() == {"mapped.yaml"}
    child.change(CHILD.replace("size", "length"))
    qtbot.waitUntil(lambda: closed_messages() == {"mapped.yaml", "middle.yaml", "parent.yaml"})
    real.session.close(child)
    qtbot.waitUntil(lambda: closed_messages() == {"mapped.yaml"})


def test_environment_and_script_changed_on_disk(qtbot: QtBot, real: Window, folder: Path) -> None:
    template = open_file(qtbot, real, folder / "script.yaml")
    real.session.set_environments(template, (folder / "settings.env",))
    qtbot.waitUntil(lambda: folder / "settings.env" in (template.state.files if template.state else ()))
    (folder / "settings.env").write_text("parameters: {nobody: 1}\n")
    qtbot.waitUntil(lambda: any("nobody" in message for message in messages(template)))
    (folder / "setup.sh").unlink()
    qtbot.waitUntil(lambda: any("setup.sh" in message for message in messages(template)))
    (folder / "setup.sh").write_text("echo 1\n")
    qtbot.waitUntil(lambda: not any("setup.sh" in message for message in messages(template)))


def test_text_saved_under_another_name_is_used_there(qtbot: QtBot, real: Window, folder: Path) -> None:
    middle = open_file(qtbot, real, folder / "nested" / "middle.yaml")
    other = real.session.new(CHILD.replace("size", "length"))
    real.session.save(other, folder / "nested" / "child.yaml", overwrite=True)
    qtbot.waitUntil(lambda: any("size" in message for message in messages(middle)))


def test_folder_opened_later_widens_what_a_tab_may_refer_to(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "child.yaml").write_text("heat_template_version: 2021-04-16\n")
    parent = tmp_path / "deep" / "parent.yaml"
    parent.write_text("heat_template_version: 2021-04-16\nresources:\n  one: {type: ../child.yaml}\n")
    document = open_file(qtbot, real, parent)
    assert document.problems
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.open_folder(tmp_path)
    assert document.problems == ()
