"""Conversion of a template to the other language in the window, and saving of snippets."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.ui.window.window import Window

TEXT = """AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Name: {Type: String, Default: web}
Resources:
  value:
    Type: OS::Heat::Value
    Properties:
      value: {'Fn::Join': ['-', [{Ref: Name}, {'Fn::GetAZs': ''}, {Ref: 'AWS::Region'}]]}
"""
HOT = """# old.yaml (CFN 2010-09-09), converted to HOT. Lines refer to the original.
# Could not be converted (kept unchanged or left out):
#   line 8: Fn::GetAZs: HOT has no equivalent function.
# Changed meaning:
#   line 8: AWS::Region: Converted to a constant: in CFN, Heat returns the same region for every cloud.

heat_template_version: 2021-04-16

parameters:
  Name:
    type: string
    default: web

resources:
  value:
    type: OS::Heat::Value
    properties:
      value:
        list_join:
          - '-'
          - - {get_param: Name}
            - Fn::GetAZs: ''
            - ap-southeast-1
"""


def test_cfn_template_opens_as_hot_with_the_lost_parts_listed(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    file = tmp_path / "old.yaml"
    file.write_text(TEXT, encoding="utf-8")
    real.files.open([str(file)])
    old = real.session.current
    assert old is not None
    qtbot.waitUntil(lambda: old.current_analysis is not None, timeout=10_000)
    with qtbot.waitSignal(real.session.message_requested) as reported:
        real.actions_by_name["convert"].trigger()
    assert reported.args == ["old.hot.yaml: 1 construct could not be converted. Save the file to edit it."]
    new = real.session.current
    assert new is not None
    assert new is not old
    assert (new.title, new.path) == ("old.hot.yaml", None)
    assert new.text == HOT
    qtbot.waitUntil(lambda: new.current_analysis is not None, timeout=10_000)
    assert new.current_analysis is not None
    assert [one.code for one in new.current_analysis.diagnostics if "Fn::GetAZs" in one.message]
    editor = real.area.editor
    assert editor is not None
    QTest.keyClicks(editor.editor, "x")
    assert editor.text() == new.text
    assert not new.modified
    assert real.status.state.text() == "Read-only"
    real.session.save(new, tmp_path / "old.hot.yaml")
    QTest.keyClicks(editor.editor, "x")
    assert new.modified


def test_unreadable_content_is_reported(qtbot: QtBot, real: Window) -> None:
    document = real.session.new("a: [")
    qtbot.waitUntil(lambda: document.current_analysis is not None, timeout=10_000)
    with qtbot.waitSignal(real.session.message_requested) as reported:
        real.actions_by_name["convert"].trigger()
    assert reported.args is not None
    assert "not a valid template" in reported.args[0]
    assert real.session.current is document


def test_template_is_saved_as_a_snippet(
    qtbot: QtBot, real: Window, sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    real.session.new(sample, "mine.yaml")
    kept = tmp_path / "heatstudio" / "snippets" / "mine.yaml"
    with qtbot.waitSignal(real.session.message_requested) as reported:
        real.actions_by_name["keep-snippet"].trigger()
    assert reported.args == [f"Saved to {kept}. Ctrl+Space suggests it where you can add a resource."]
    assert kept.read_text("utf-8") == sample
    with qtbot.waitSignal(real.session.message_requested) as reported:
        real.actions_by_name["keep-snippet"].trigger()
    assert reported.args is not None
    assert "already" in reported.args[0]
    real.session.new("a: [")
    with qtbot.waitSignal(real.session.message_requested) as reported:
        real.actions_by_name["keep-snippet"].trigger()
    assert reported.args is not None
    assert "Only a HOT template" in reported.args[0]
