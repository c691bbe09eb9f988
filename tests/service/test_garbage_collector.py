"""The garbage collector skips the loaded knowledge of Heat and runs rarely."""

from __future__ import annotations

import gc

from heatstudio.service.garbage_collector import tune_garbage_collector


def test_existing_objects_are_frozen_and_the_threshold_is_raised() -> None:
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # Python's defaults; another test may have tuned the collector
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
