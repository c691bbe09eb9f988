"""A process that knows all of Heat does not look through it for garbage."""

from __future__ import annotations

import gc

from heatstudio.service.garbage_collector import tune_garbage_collector


def test_what_is_there_is_looked_through_no_more_and_what_comes_seldom() -> None:
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # Python's own; another test may have settled before
    gc.disable()
    try:
        tune_garbage_collector()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 10_000
        assert gc.get_threshold()[0] > 10 * 700
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)
        gc.enable()
