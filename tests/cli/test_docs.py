"""`heatstudio docs`, alone and between the markers of a README."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from heatstudio.cli import run

TEMPLATE = """heat_template_version: 2018-08-31
description: A web server behind a pool.
parameter_groups:
- label: Sizes
  description: How large it is.
  parameters: [flavor]
parameters:
  flavor:
    type: string
    default: a|b
    description: The flavor of *all* servers
    constraints:
    - allowed_values: [a|b, c]
  secret: {type: string, hidden: true, default: hidden-text}
  count: {type: number, immutable: true, constraints: [{range: {min: 1}, description: at least one}]}
conditions:
  many: {equals: [{get_param: count}, 2]}
resources:
  pool: {type: OS::Neutron::Pool, condition: many}
outputs:
  address: {description: Where it listens, value: 1}
"""


@pytest.fixture
def template(tmp_path: Path) -> Path:
    file = tmp_path / "web.yaml"
    file.write_text(TEMPLATE, encoding="utf-8")
    return file


def test_page_has_all_parts_of_the_template(template: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["docs", str(template)]) == 0
    page = capsys.readouterr().out
    html = MarkdownIt("commonmark").enable("table").render(page)
    assert [line for line in html.splitlines() if line.startswith("<h")] == [
        "<h2>Parameters</h2>",
        "<h3>Sizes</h3>",
        "<h3>Other parameters</h3>",
        "<h2>Outputs</h2>",
        "<h2>Resources</h2>",
    ]
    assert html.startswith("<p>A web server behind a pool.</p>")
    assert "<td>The flavor of *all* servers. One of <code>a|b</code>, <code>c</code>.</td>" in html
    assert "<td>number, immutable</td>" in html
    assert "At least one." in html
    assert "hidden-text" not in page
    assert "<td><code>address</code></td>\n<td>Where it listens</td>" in html
    assert "<td><code>OS::Neutron::Pool</code></td>\n<td><code>many</code></td>" in html


def test_readme_is_updated_between_its_markers(template: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = template.with_name("README.md")
    readme.write_text(
        "# Ours\n<!-- begin heatstudio docs web.yaml -->\nold\n<!-- end heatstudio docs web.yaml -->\nEnd\n", "utf-8"
    )
    into = ["docs", str(template), "--into", str(readme)]
    assert run([*into, "--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert run(into) == 0
    written = readme.read_text(encoding="utf-8")
    assert written.startswith("# Ours\n<!-- begin heatstudio docs web.yaml -->\n\nA web server")
    assert written.endswith("\n\n<!-- end heatstudio docs web.yaml -->\nEnd\n")
    assert run([*into, "--check"]) == 0


@pytest.mark.parametrize(("text", "message"), [("- 1\n", "not a valid template"), (None, "no such file")])
def test_file_without_template_is_reported(
    template: Path, capsys: pytest.CaptureFixture[str], text: str | None, message: str
) -> None:
    if text is None:
        template.unlink()
    else:
        template.write_text(text, encoding="utf-8")
    assert run(["docs", str(template)]) == 2
    assert message in capsys.readouterr().err


def test_readme_without_markers_names_them(template: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = template.with_name("README.md")
    readme.write_text("# Ours\n", encoding="utf-8")
    assert run(["docs", str(template), "--into", str(readme)]) == 2
    assert "<!-- begin heatstudio docs web.yaml -->" in capsys.readouterr().err
    assert readme.read_text(encoding="utf-8") == "# Ours\n"
