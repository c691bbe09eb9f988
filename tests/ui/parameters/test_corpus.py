"""The parameter form of real templates has a row for each parameter."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.parameter_form import parameter_form
from heatstudio.template import parse_template
from heatstudio.text import DocumentError, read_document
from heatstudio.ui.parameters.form_page import FormPage, show_fields
from heatstudio.ui.widgets.appearance import Appearance

ALL = 10_000
EVERY = 25
"""The sampling interval: every 25th file is tested, because all files take minutes."""


def test_every_parameter_section_renders(qapp: QApplication, appearance: Appearance, shared: Path) -> None:
    knowledge = load_knowledge()
    count = 0
    for path in sorted((shared / "corpus" / "files").rglob("*.yaml"))[::EVERY]:
        try:
            template = parse_template(read_document(path).text)
        except DocumentError:
            continue
        declared = template.data.get(template.dialect.parameters) if template.complete else None
        if not isinstance(declared, dict):
            continue
        stack, _ = define(Source(template), knowledge)
        form = parameter_form(stack)
        page = FormPage(form, appearance)
        page.grow(ALL)
        assert list(form.fields.keys() ^ map(str, declared)) == [], path
        assert page.rows.keys() == form.fields.keys()
        show_fields(page.rows, form.fields, {}, {})
        page.deleteLater()
        count += len(page.rows)
    assert count > 500
