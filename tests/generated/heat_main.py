"""A wrapper of `ask_heat.py` that reads environments as python-heatclient and Heat's API do.

It runs in the Python of the real Heat. Arguments: the folder of `ask_heat.py`, and the arguments of `ask_heat.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module


def main(folder: str, *arguments: str) -> None:
    """Replace `read_template` of `ask_heat.py`, invent no values for parameters, and answer the questions."""
    sys.path.insert(0, folder)
    asking = import_module("ask_heat")
    reading = import_module("heatclient.common.template_utils")
    formats = import_module("heat.common.environment_format")
    merging = import_module("heat.common.environment_util")
    templates = import_module("heat.engine.template")

    def read_template(
        path: str, environments: Sequence[str] = (), parameters: Mapping[str, object] | None = None
    ) -> tuple[object, dict[str, str], dict[str, dict[str, object]]]:
        files, template = reading.get_template_contents(path)
        template = json.loads(json.dumps(template))  # as in the request: keys of maps are strings
        names: list[str] = []
        read, _ = reading.process_multiple_environments_and_files(list(environments), env_list_tracker=names)
        texts: dict[str, str] = asking._texts({**files, **read})
        merged: dict[str, dict[str, object]] = {}
        formats.default_for_missing(merged)
        merged["parameters"].update(parameters or {})
        schemata = templates.Template(template, files=texts).all_param_schemata(texts)
        merging.merge_environments(names, texts, merged, schemata)
        return template, texts, merged

    vars(asking)["read_template"] = read_template
    vars(asking)["dummies"] = lambda *_arguments: {}
    asking.answer_all(list(arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
