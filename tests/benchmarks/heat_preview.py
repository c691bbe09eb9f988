"""Measurement of the Heat engine's own preview of an update; to be run by a Python that has openstack-heat.

Arguments: the folder with `fakecloud.py`, the old template, the new template. Prints the CPU time in seconds.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path


def main(asking: str, old: str, new: str) -> None:
    """Measure the preview, including the resources that it creates, but not the creation of the two stacks."""
    sys.path.insert(0, asking)
    cloud = import_module("fakecloud")
    template_format = import_module("heat.common.template_format")
    update = import_module("heat.engine.update")
    values = {"parameters": {"key_name": "mine"}}
    with cloud.running():
        before, after = (
            cloud.stack_for(template_format.parse(Path(name).read_text("utf-8")), values, {}, "measured")
            for name in (old, new)
        )
        began = time.process_time()
        preview = update.StackUpdate(before, after, None).preview()
        seconds = time.process_time() - began
    if not any(preview.values()):
        raise ValueError("the engine previewed nothing")
    sys.stdout.write(f"{seconds}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
