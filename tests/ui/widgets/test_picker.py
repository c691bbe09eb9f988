"""The command palette finds the intended command, also by names in other editors."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.commands.navigation import command_choices, type_choices
from heatstudio.ui.widgets.picker import Choice, fitting
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.screens import go


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("zoom", {"Zoom In", "Zoom Out", "Reset Zoom"}),
        ("zoom out", {"Zoom Out"}),
        ("theme", {"Dark Theme", "Light Theme", "High Contrast Theme", "System Theme"}),
        ("dark theme", {"Dark Theme"}),
        ("settings", {"Settings"}),
        ("validate", {"Validate with Heat", "Check Again"}),
        ("explain", {"Explain Problem"}),
        ("save", {"Save"}),
    ],
)
def test_commands_are_found_by_names_in_other_editors(window: Window, query: str, first: set[str]) -> None:
    window.session.new("heat_template_version: 2021-04-16\n")
    found = fitting(command_choices(window.actions_by_name), query)
    assert found
    assert found[0].text in first


def test_matches_in_the_text_come_before_keyword_matches() -> None:
    choices = [Choice("Larger", print, keywords="zoom text"), Choice("Text size", print), Choice("Other", print)]
    assert [choice.text for choice in fitting(choices, "text")] == ["Text size", "Larger"]


def test_exact_title_precedes_beginnings_of_words_and_scattered_letters() -> None:
    titles = ["server_groups", "web-server", "OS::Senlin::Receiver", "server"]
    choices = [Choice(title, print, yields=title == "server") for title in titles]
    expected = ["server", "server_groups", "web-server"]
    assert [choice.text for choice in fitting(choices, "Server")][:3] == expected
    assert (
        fitting([Choice("Go to Line Start", print), Choice("Go to Line", print)], "go to line")[0].text == "Go to Line"
    )


def test_matched_letters_are_marked(window: Window) -> None:
    picker = bench(window).picker
    picker.choose("Pick", [Choice("public_network", print, "OS::Neutron::Net")])
    plain = picker.view.viewport().grab().toImage()
    picker.search.setText("net")
    assert picker.view.viewport().grab().toImage() != plain
    picker.search.setText("")
    assert picker.view.viewport().grab().toImage() == plain
    picker.hide()


def test_list_is_as_high_as_its_rows(window: Window) -> None:
    picker = bench(window).picker
    heights = []
    for query in ("", "row 1", "row 19", "nothing"):
        picker.choose("Pick", [Choice(f"row {number}", print) for number in range(20)])
        picker.search.setText(query)
        QApplication.processEvents()
        heights.append(picker.height())
        assert picker.view.verticalScrollBar().isVisible() is (query == "")
    assert heights[0] > heights[1] > heights[3] > heights[2]
    picker.hide()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("heat_template_version: 2021-04-16\n", "OS::Cinder::Volume"),
        ("AWSTemplateFormatVersion: '2010-09-09'\n", "AWS::EC2::Volume"),
    ],
)
def test_aws_types_come_first_only_in_cfn_templates(qtbot: QtBot, real: Window, text: str, first: str) -> None:
    with qtbot.waitSignal(real.session.analysis_changed):
        real.session.new(text)
    go(real, text)
    assert fitting(type_choices(real.session, print), "volume")[0].text == first
