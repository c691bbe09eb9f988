"""The environments dialog shows the verdict for each environment near the template."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from pytestqt.qtbot import QtBot

from heatstudio.ui.window.window import Window

TEXT = """\
heat_template_version: 2021-04-16
parameters: {env: {type: string, default: dev}}
conditions:
  prod: {equals: [{get_param: env}, prod]}
resources:
  net: {type: OS::Neutron::Net, condition: prod, properties: {nam: a, shared: maybe}}
"""


def test_each_environment_has_a_verdict_and_can_be_used(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    (tmp_path / "main.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "other.yaml").write_text(TEXT, encoding="utf-8")
    for name in ("dev", "prod"):
        (tmp_path / f"{name}.yaml").write_text(f"parameters: {{env: {name}}}\n", encoding="utf-8")
    real.files.open([str(tmp_path / "main.yaml")])
    document = real.session.current
    assert document is not None
    real.environments.show()
    dialog = real.environments.dialog
    assert dialog is not None
    about_a_row = [button for button in dialog.findChildren(QPushButton) if button.text() in {"&Earlier", "&Remove"}]
    assert [button.isEnabled() for button in about_a_row] == [False, False]
    qtbot.waitUntil(lambda: dialog.scenarios.count() > 0)
    said = [dialog.scenarios.item(row).text() for row in range(dialog.scenarios.count())]
    assert said == ["No environment: no errors", "dev.yaml: no errors", "prod.yaml: 2 errors"]
    dialog.scenarios.itemActivated.emit(dialog.scenarios.item(2))
    assert document.environments == (tmp_path / "prod.yaml",)
    assert [button.isEnabled() for button in about_a_row] == [True, True]
    dialog.scenarios.setCurrentRow(0)
    QTest.keyClick(dialog.scenarios, Qt.Key.Key_Return)
    assert list(document.environments) == []
    assert dialog.isVisible()
    box = dialog.findChild(QDialogButtonBox)
    assert box is not None
    assert all(button.icon().isNull() for button in box.buttons())
    dialog.close()


def test_environments_of_the_project_file_are_shown(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    (tmp_path / "main.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "prod.yaml").write_text("parameters: {env: prod}\n", encoding="utf-8")
    project = '[[templates]]\nfiles = ["main.yaml"]\nenvironments = ["prod.yaml"]\n'
    (tmp_path / "heatstudio.toml").write_text(project, encoding="utf-8")
    real.files.open([str(tmp_path / "main.yaml")])
    qtbot.waitUntil(lambda: real.status.environments.text() == "1 environment")
    assert "heatstudio.toml" in real.status.environments.toolTip()
    real.environments.show()
    dialog = real.environments.dialog
    assert dialog is not None
    assert "From heatstudio.toml: prod.yaml" in dialog.complaints.text()
    qtbot.waitUntil(lambda: dialog.scenarios.count() > 0)
    found = [dialog.scenarios.item(row) for row in range(dialog.scenarios.count())]
    assert [one.text() for one in found] == ["prod.yaml: 2 errors", "No environment: no errors"]
    assert [bool(one.flags() & Qt.ItemFlag.ItemIsEnabled) for one in found] == [True, False]
    dialog.close()
