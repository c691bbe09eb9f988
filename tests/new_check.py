"""Write the files of a new check: `python -m tests.new_check my-code`; its annotated text fails until it is filled."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULE = '''"""TITLE."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield nothing yet; `scope.finding(message, path)` makes a finding."""
    yield from ()
'''
PAGE = """# TITLE

What is wrong…

## Why

What Heat does…

## Example

    wrong        # wrong
    right        # right

## How to fix it

What to do…

## Safety of the fix

No fix is offered: why…
"""
TEXT = """heat_template_version: 2018-08-31
resources:
  wrong:  # <- NAME
    type: OS::Heat::RandomString
"""


def new_check(code: str, root: Path = ROOT) -> list[Path]:
    """Write module, page, entry and annotated text of a check; return their paths. Raise ValueError for a bad code."""
    if not re.fullmatch(r"[a-z]+(?:-[a-z]+)*", code):
        raise ValueError(f"{code} is not a code such as unknown-section")
    name = code.replace("-", "_")
    module = root / "heatstudio" / "analysis" / "checks" / f"{name}.py"
    page, text = root / "resources" / "pages" / f"{code}.md", root / "tests" / "analysis" / "annotated" / f"{code}.yaml"
    entry = root / "resources" / "checks.json"
    if module.exists() or page.exists():
        raise ValueError(f"{code} exists already")
    title = code.replace("-", " ").capitalize()
    for path, content in ((module, MODULE), (page, PAGE), (text, TEXT)):
        path.write_text(content.replace("NAME", code).replace("TITLE", title), encoding="utf-8")
    codes = [*json.loads(entry.read_text(encoding="utf-8")), code]
    entry.write_text(json.dumps(codes, indent=2) + "\n", encoding="utf-8")
    return [module, page, entry, text]


if __name__ == "__main__":
    sys.stdout.write("".join(f"{path.relative_to(ROOT)}\n" for path in new_check(sys.argv[1])))
