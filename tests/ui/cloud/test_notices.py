"""Notifications of cloud errors stay visible until they are dismissed."""

from __future__ import annotations

from heatstudio.ui.cloud.notices import NoticesModel
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench


def test_error_stays_after_a_refresh_and_in_another_document(real: Window) -> None:
    real.session.new("heat_template_version: 2021-04-16\n")
    bench(real).cloud.link.failed.emit("Heat failed.")
    bench(real).cloud.link.changed.emit()
    real.session.new("heat_template_version: 2018-08-31\n")
    assert real.area.banner.sentence == "Heat failed."
    assert [bench(real).cloud.notices.data(index) for index in bench(real).cloud.notices.indexes()] == ["Heat failed."]


def test_notices_are_dismissed_one_by_one_or_all_at_once() -> None:
    model = NoticesModel()
    for words in ("first", "second", "third"):
        model.add(words, failed=words == "first")
    assert [model.data(index) for index in model.indexes()] == ["third", "second", "first"]
    model.dismiss(model.value(model.index(1, 0)))
    assert [model.data(index) for index in model.indexes()] == ["third", "first"]
    model.dismiss(None)
    assert model.rowCount() == 0
