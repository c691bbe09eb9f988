"""`heatstudio check`: output for terminals, scripts and code scanners."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from heatstudio.analysis.pages import pages
from heatstudio.cli import run
from heatstudio.cli.check_formats import excerpt
from heatstudio.service.pool.file_report import source_line
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.text import LineIndex, Position, Span, TextEdit, apply_edits

HOT = "heat_template_version: 2021-04-16\n"
LINK = HOT + (
    "resources:\n"
    "  link:\n"
    "    type: OS::Neutron::RouterInterface\n"
    "    properties: {router_id: r}\n"
    "  größe 🙂:\n"
    "    type: OS::Neutron::Net\n"
    "    properties: {nam: a, name: 🙂, shared: maybe}  # heatstudio: ignore[wrong-value-type] known\n"
)


@pytest.fixture
def link(tmp_path: Path) -> Path:
    path = tmp_path / "a link.yaml"
    path.write_text(LINK, encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    run(["check", *arguments])
    return json.loads(capsys.readouterr().out)


def problems(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return answer(capsys, *arguments, "--format", "json")["problems"]


def test_json_contains_heats_message_next_to_the_headline(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = problems(capsys, str(link))
    by_code = {one["code"]: one for one in found}
    group = by_code["property-group"]
    assert group["message"] == "Exactly one of `subnet` or `port` is required."
    assert group["heat_message"] == "At least one of the following properties must be specified: subnet, port."
    assert by_code["unknown-property"]["heat_message"] == "Unknown Property nam"


COUNTS = "2 errors, 1 warning in 1 file (1 suppressed problem). `heatstudio fix` solves 1 of them.\n"


def test_summary_counts_problems_and_files(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(link)]) == 1
    captured = capsys.readouterr()
    assert captured.err == COUNTS
    assert len(captured.out.splitlines()) == 3
    good = link.with_name("good.yaml")
    good.write_text(HOT, encoding="utf-8")
    other = link.with_name("other.yaml")
    other.write_text(HOT, encoding="utf-8")
    assert run(["check", str(good), str(other), str(good)]) == 0
    assert capsys.readouterr().err == "No problems in 2 files.\n"


def test_terminal_output_shows_the_source_line_with_carets(
    link: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["check", str(link)])
    plain = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run(["check", str(link)])
    shown = capsys.readouterr().out.splitlines()
    assert shown[::3] == plain.splitlines()
    at = next(number for number, line in enumerate(shown) if "unknown-property" in line)
    assert shown[at + 1] == "        " + LINK.splitlines()[7].strip()
    assert shown[at + 2] == " " * 21 + "^^^"


@pytest.mark.parametrize(
    ("line", "caret"),
    [
        ("漢字: {bad: 1}", "           ^^^"),
        ("e\u0301: {bad: 1}", "        ^^^"),
        ("x\x1b[31m: {bad: 1}", None),
        ("long: {" + "a: 1, " * 60 + "bad: 1}", " " * 44 + "^^^"),
    ],
)
def test_carets_are_aligned_in_wide_characters_and_long_lines(line: str, caret: str | None) -> None:
    text = HOT + line + "\n"
    start = text.index("bad")
    shown = list(excerpt(source_line(text, LineIndex(text), Span(start, start + 3))))
    assert "\x1b" not in "".join(shown)
    assert len(shown[0]) <= 170
    assert caret is None or shown[1] == caret


def test_sarif_has_the_structure_that_scanners_expect(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = answer(capsys, str(link), "--format", "sarif")
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (one,) = log["runs"]
    assert one["columnKind"] == "unicodeCodePoints"
    assert one["invocations"] == [{"executionSuccessful": True}]
    driver = one["tool"]["driver"]
    assert driver["name"] == "Heat Studio"
    identifiers = [rule["id"] for rule in driver["rules"]]
    assert identifiers == sorted(set(identifiers))
    for rule in driver["rules"]:
        assert set(rule) == {"id", "shortDescription", "help"}
        assert rule["help"]["text"] == rule["help"]["markdown"] == pages()[rule["id"]]
        assert rule["shortDescription"]["text"] == pages()[rule["id"]].splitlines()[0][2:]
    assert len(one["results"]) == 4
    for result in one["results"]:
        assert identifiers[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["message"]["text"]
        for place in (*result["locations"], *result.get("relatedLocations", ())):
            _check_region(place["physicalLocation"]["region"])
            assert place["physicalLocation"]["artifactLocation"]["uri"] == link.as_uri()
        for fix in result.get("fixes", ()):
            assert fix["description"]["text"]
            (change,) = fix["artifactChanges"]
            assert change["artifactLocation"]["uri"] == link.as_uri()
            assert change["replacements"]
    suppressed = [result for result in one["results"] if "suppressions" in result]
    assert [result["ruleId"] for result in suppressed] == ["wrong-value-type"]
    assert suppressed[0]["suppressions"] == [{"kind": "inSource"}]
    group = next(result for result in one["results"] if result["ruleId"] == "property-group")
    assert group["properties"]["heat_message"].startswith("At least one of")


def _check_region(region: dict[str, int]) -> None:
    assert set(region) == {"startLine", "startColumn", "endLine", "endColumn"}
    assert min(region.values()) >= 1
    assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def test_fixes_of_sarif_can_be_applied(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = answer(capsys, str(link), "--format", "sarif")
    moved = next(result for result in log["runs"][0]["results"] if result["ruleId"] == "property-support")
    (change,) = moved["fixes"][0]["artifactChanges"]
    lines = LineIndex(LINK)

    def offset(line: int, column: int) -> int:
        return lines.offset(Position(line - 1, column - 1))

    edits = []
    for replacement in change["replacements"]:
        region = replacement["deletedRegion"]
        span = Span(offset(region["startLine"], region["startColumn"]), offset(region["endLine"], region["endColumn"]))
        edits.append(TextEdit(span, replacement["insertedContent"]["text"]))
    assert apply_edits(LINK, edits) == LINK.replace("router_id", "router")


def test_byte_order_mark_is_not_counted_as_a_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "marked.yaml"
    path.write_text("\ufeffheat_template_version: 2021-04-17\n", encoding="utf-8")
    log = answer(capsys, str(path), "--format", "sarif")
    (result,) = log["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (24, 34)


def test_relative_names_stay_relative(
    link: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(link.parent)
    log = answer(capsys, link.name, "--format", "sarif")
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "a%20link.yaml", "uriBaseId": "%SRCROOT%"}
    assert set(log["runs"][0]["originalUriBaseIds"]) == {"%SRCROOT%"}


def test_fingerprint_is_unchanged_after_lines_moved(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fingerprints() -> list[object]:
        results = answer(capsys, str(link), "--format", "sarif")["runs"][0]["results"]
        return [result["partialFingerprints"] for result in results]

    before = fingerprints()
    assert len({json.dumps(one) for one in before}) == len(before) == 4
    link.write_text(LINK.replace("resources:", "# a line more\nresources:"), encoding="utf-8")
    assert fingerprints() == before


def test_sarif_has_only_keys_of_its_schema(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """sarif-schema-2.1.0.json sets `additionalProperties: false` for most objects; KNOWN_KEYS lists their keys."""
    log = answer(capsys, str(link), "--format", "sarif")
    _check_keys(log["runs"][0], "run")


KNOWN_KEYS = {
    "run": {"tool", "invocations", "originalUriBaseIds", "columnKind", "results"},
    "driver": {"name", "semanticVersion", "rules"},
    "rules": {"id", "shortDescription", "help"},
    "results": {
        *("ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "fixes", "suppressions"),
        *("partialFingerprints", "properties"),
    },
    "locations": {"physicalLocation"},
    "relatedLocations": {"id", "message", "physicalLocation"},
    "physicalLocation": {"artifactLocation", "region"},
    "artifactLocation": {"uri", "uriBaseId"},
    "region": {"startLine", "startColumn", "endLine", "endColumn"},
    "deletedRegion": {"startLine", "startColumn", "endLine", "endColumn"},
    "fixes": {"description", "artifactChanges", "properties"},
    "artifactChanges": {"artifactLocation", "replacements"},
    "replacements": {"deletedRegion", "insertedContent"},
    "insertedContent": {"text"},
    "message": {"text"},
    "suppressions": {"kind"},
}
"""The keys that the program writes in each SARIF object; `properties` and fingerprints may have any keys."""


def _check_keys(value: object, name: str) -> None:
    if isinstance(value, list):
        for item in value:
            _check_keys(item, name)
    elif isinstance(value, dict) and name != "properties":
        assert set(value) <= KNOWN_KEYS.get(name, set(value)), name
        for key, item in value.items():
            _check_keys(item, key)


def test_all_formats_report_the_same_problems(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", str(link)])
    text = [line.rpartition("[")[2].rstrip("]") for line in capsys.readouterr().out.splitlines()]
    records = problems(capsys, str(link))
    log = answer(capsys, str(link), "--format", "sarif")
    results = [one for one in log["runs"][0]["results"] if "suppressions" not in one]
    assert text == [one["code"] for one in records] == [one["ruleId"] for one in results]


def test_features_newer_than_the_release_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(HOT, encoding="utf-8")
    for release in ("Rocky", "rocky", "11.0.0"):
        assert run(["check", str(path), "--release", release]) == 0
        assert "your target is 11.0.0 (Rocky). [not-in-release]" in capsys.readouterr().out
    assert run(["check", str(path), "--release", "2026.2"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("release", ["", "antarctica", "1.0"])
def test_unknown_release_lists_all_releases(link: Path, capsys: pytest.CaptureFixture[str], release: str) -> None:
    assert run(["check", str(link), "--release", release]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert all(one.name in captured.err.splitlines()[-1] for one in load_knowledge().releases)


def test_client_version_affects_the_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "template.yaml"
    properties = "{image: i, flavor: f, tags: [a], networks: [{network: n}]}"
    server = f"resources:\n  s:\n    type: OS::Nova::Server\n    properties: {properties}\n"
    path.write_text(HOT + server, encoding="utf-8")
    assert run(["check", str(path)]) == 0
    assert run(["check", str(path), "--client-version", "nova=2.26"]) == 0
    capsys.readouterr()
    assert run(["check", str(path), "--client-version", "trove=1.0", "--client-version", "nova=2.9"]) == 1
    assert "[property-group]" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["nova", "nova=", "=2.1", "nova=latest", "nova=2.", "nova=2,79", "novva=2.79"])
def test_invalid_client_version_is_rejected_in_one_line(
    link: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert run(["check", str(link), "--client-version", text]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert repr(text) in captured.err or "'novva'; known plug-ins: nova, trove" in captured.err


def test_parameter_values_are_checked_against_their_declaration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(HOT + "parameters:\n  size: {type: number, constraints: [{range: {max: 5}}]}\n", encoding="utf-8")
    assert run(["check", str(path), "-P", "size=4"]) == 0
    assert run(["check", str(path), "-P", "size=6"]) == 1
    assert "size" in capsys.readouterr().out
    assert run(["check", str(path), "-P", "size"]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_problem_in_an_environment_is_located_in_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    template, environment = tmp_path / "t.yaml", tmp_path / "e.yaml"
    template.write_text("heat_template_version: 2021-04-16\nparameters:\n  size: {type: number}\n")
    environment.write_text("\ufeff# comment\r\nparameters:\r\n  size: many\r\n")
    assert run(["check", str(template), "-e", str(environment), "--format", form]) == 1
    said = capsys.readouterr().out
    if form == "text":
        assert said.startswith(f"{environment}:3:9: error: With `t.yaml`: ")
        return
    (found,) = json.loads(said)["problems"] if form == "json" else json.loads(said)["runs"][0]["results"]
    if form == "json":
        assert (found["path"], found["range"]["start"]) == (str(environment), {"line": 2, "character": 8})
    else:
        place = found["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == environment.as_uri()
        assert (place["region"]["startLine"], place["region"]["startColumn"]) == (3, 9)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit"])
def test_invalid_environment_is_reported_once_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    environment, names = tmp_path / "e.env", ("a.yaml", "b.yaml")
    environment.write_text("parameters:\n  size: 4\n   name: x\n", encoding="utf-8")
    for name in names:
        (tmp_path / name).write_text(HOT, encoding="utf-8")
    paths = [str(tmp_path / name) for name in names]
    assert run(["check", *paths, "-e", str(environment), "--format", form]) == 1
    shown = capsys.readouterr().out
    assert shown.count("This line is indented too far.") == {"sarif": 1, "junit": 2}.get(form, 1)
    place = {"text": ":3:4:", "json": '"line": 2', "sarif": '"startLine": 3', "github": "line=3", "junit": ":3:4:"}
    assert place[form] in shown


def test_named_environment_without_a_section_is_reported_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template, environment = tmp_path / "t.yaml", tmp_path / "values.yaml"
    template.write_text(HOT, encoding="utf-8")
    environment.write_text("size: 4\n", encoding="utf-8")
    assert run(["check", str(template), "-e", str(environment)]) == 1
    assert f"{environment}:1:1: error: Unknown section `size`; put " in capsys.readouterr().out


def test_nested_templates_are_found_next_to_the_template_or_below_the_root(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "inner.yaml").write_text(HOT + "resources:\n  a: {type: OS::Nova::NoSuch}\n", encoding="utf-8")
    (tmp_path / "deep").mkdir()
    outer = tmp_path / "deep" / "outer.yaml"
    outer.write_text(HOT + "resources:\n  a: {type: ../inner.yaml}\n", encoding="utf-8")
    beside = tmp_path / "beside.yaml"
    beside.write_text(HOT + "resources:\n  a: {type: inner.yaml}\n", encoding="utf-8")
    assert run(["check", str(beside)]) == 1
    assert "nested-template" in capsys.readouterr().out
    assert run(["check", str(outer)]) == 0
    assert "outside-folder" in capsys.readouterr().out
    assert run(["check", str(outer), "--root", str(tmp_path)]) == 1
    assert "nested-template" in capsys.readouterr().out


@pytest.mark.parametrize("code", ["yaml-syntax", "unused-ignore", "not-in-release", "missing-property"])
def test_a_code_is_explained(capsys: pytest.CaptureFixture[str], code: str) -> None:
    assert run(["check", "--explain", code]) == 0
    assert capsys.readouterr().out == pages()[code] + "\n"


def test_the_command_line_needs_no_qt_and_no_display(link: Path) -> None:
    program = (
        "import sys\n"
        "from heatstudio.__main__ import main\n"
        f"sys.argv = ['heatstudio', 'check', {str(link)!r}]\n"
        "code = main()\n"
        "strange = {'PySide6', 'shiboken6', 'yaql', 'heatstudio.ui', 'openstack', 'hypothesis'} & set(sys.modules)\n"
        "sys.exit(f'imported: {strange}' if strange else code)\n"
    )
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name and name[:3] != "QT_"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (1, COUNTS)


def test_only_the_module_of_the_command_is_imported(link: Path) -> None:
    program = (
        "import sys\n"
        "from heatstudio.cli import run\n"
        f"run(['check', {str(link)!r}])\n"
        "print([name for name in sys.modules if name in {'heatstudio.cli.fix', 'heatstudio.cli.preview'}])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout.splitlines()[-1] == "[]"


def test_unreadable_file_fails_a_scan(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(link), str(link.with_name("no.yaml")), "--format", "sarif"]) == 2
    captured = capsys.readouterr()
    (one,) = json.loads(captured.out)["runs"]
    assert one["invocations"] == [{"executionSuccessful": False}]
    assert len(one["results"]) == 4
    assert captured.err.count("\n") == 1


def test_terminal_escape_sequences_of_a_template_are_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(
        HOT + 'resources:\n  a:\n    type: OS::Neutron::Net\n    properties: {"b\\e[31m\\nc": 1}\n', encoding="utf-8"
    )
    assert run(["check", str(path)]) == 1
    shown = capsys.readouterr().out
    assert shown.count("\n") == 1
    assert "\x1b" not in shown
    assert r"b\x1b[31m c" in shown


CYCLE = HOT + (
    "resources:\n"
    "  a: {type: OS::Heat::Value, properties: {value: {get_resource: b}}}\n"
    "  b: {type: OS::Heat::Value, properties: {value: x}, depends_on: a}\n"
)


def test_json_has_edits_positions_and_the_document_hash(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = answer(capsys, str(link), "--format", "json")
    assert report["version"] == 1
    assert report["documents"] == [{"path": str(link), "sha256": sha256(link.read_bytes()).hexdigest()}]
    moved = next(one for one in report["problems"] if one["code"] == "property-support")
    lines = LineIndex(LINK)
    edits = [
        TextEdit(Span(*(lines.offset(Position(**edit["range"][end])) for end in ("start", "end"))), edit["text"])
        for edit in moved["fixes"][0]["edits"]
    ]
    assert "{router: r}" in apply_edits(LINK, edits)


def test_cycle_contains_its_edges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cycle.yaml"
    path.write_text(CYCLE, encoding="utf-8")
    (found,) = problems(capsys, str(path))
    edges = {one["message"]: one["range"]["start"]["line"] for one in found["related"]}
    assert edges["`a` refers to `b`"] == 2
    assert edges["`b` depends on `a`"] == 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three templates, one of them invalid, an environment, and other files."""
    (tmp_path / "inner" / ".hidden").mkdir(parents=True)
    (tmp_path / "good.yaml").write_text(HOT, encoding="utf-8")
    (tmp_path / "inner" / "wrong.yml").write_text(HOT + "resources: {a: {type: OS::Nova::NoSuch}}\n", encoding="utf-8")
    (tmp_path / "inner" / "upper.yaml").write_text(HOT + "resources: {a: {type: ../good.yaml}}\n", encoding="utf-8")
    (tmp_path / "env.yaml").write_text("parameters: {a: b}\n", encoding="utf-8")
    (tmp_path / "compose.yaml").write_text("services: {a: {image: b}}\n", encoding="utf-8")
    (tmp_path / "inner" / ".hidden" / "no.yaml").write_text("resources: 7\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("Keep heat_template_version: no\n", encoding="utf-8")
    return tmp_path


def test_folder_selects_its_templates_and_environments(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(folder)]) == 1
    shown = capsys.readouterr()
    (line,) = shown.out.splitlines()
    assert line.startswith(f"{folder / 'inner' / 'wrong.yml'}:2:")
    assert line.endswith("[unknown-type]")
    assert shown.err == "1 error in 4 files.\n"


WRONG = HOT + "resources: {a: {type: OS::Neutron::Net, properties: {nam: a}}}\n"


@pytest.mark.parametrize(
    ("name", "text", "is_checked"),
    [
        ("a.hot", WRONG, True),
        ("a.HEAT", WRONG, True),
        ("a", "# note\n\n---\n" + WRONG, True),
        ("a.txt", WRONG, True),
        ("a.yaml", WRONG.replace("version", "verison"), True),
        ("a.txt", "Then write:\n" + WRONG, False),
        ("a.yaml.j2", WRONG, False),
        ("values.yaml", "template:\n  " + WRONG.replace("\n", "\n  "), False),
        ("playbook.yaml", "- copy:\n    content: |\n      " + WRONG.replace("\n", "\n      "), False),
    ],
)
def test_folder_and_pattern_select_texts_that_are_templates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, is_checked: bool
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "*"):
        assert run(["check", str(path)]) == (1 if is_checked else 2)
        shown = capsys.readouterr()
        assert ("Unknown property `nam`" in shown.out) is is_checked
        assert ("no template" in shown.err) is not is_checked


def test_pattern_selects_the_matching_files(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert run(["check", "**/*.yml"]) == 1
    assert capsys.readouterr().out.startswith(f"{Path('inner', 'wrong.yml')}:2:")
    assert run(["check", str(folder / "*.yaml")]) == 0
    assert capsys.readouterr().err == "No problems in 2 files.\n"
    monkeypatch.chdir(folder / "inner")
    assert run(["check", "../*.yaml"]) == 0
    assert capsys.readouterr().err == "No problems in 2 files.\n"
    assert run(["check", "a**b.yaml"]) == 2
    assert "no template matches a**b.yaml" in capsys.readouterr().err
    monkeypatch.chdir(folder)
    assert run(["check", "good.yaml", "**/*.json"]) == 2
    assert "no template matches **/*.json" in capsys.readouterr().err


def test_parallel_check_reports_the_same_as_single_checks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = (folder / "inner" / "wrong.yml").read_text("utf-8").replace("OS::Nova::NoSuch", "OS::Heat::None, typ: a")
    for number in range(60):
        (folder / f"{number:02}.yaml").write_text("# a comment\n" * number + wrong, encoding="utf-8")
    run(["check", str(folder)])
    together = capsys.readouterr().out
    for number in range(60):
        run(["check", str(folder / f"{number:02}.yaml")])
    alone = capsys.readouterr().out
    assert together.splitlines()[:60] == alone.splitlines()
    assert [line.partition(".yaml:")[2].partition(":")[0] for line in alone.splitlines()] == [*map(str, range(2, 62))]


def test_problems_of_a_folder_with_one_cause_are_listed_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = (folder / "inner" / "wrong.yml").read_text("utf-8")
    (folder / "inner" / "also.yml").write_text(wrong.replace("}}", "}, b: {type: OS::Nova::NoSuch}}"), encoding="utf-8")
    assert run(["check", str(folder)]) == 1
    shown = capsys.readouterr()
    first, rest = shown.out.splitlines()
    problem = "error: Unknown resource type `OS::Nova::NoSuch`. [unknown-type]"
    assert first == f"{folder / 'inner' / 'also.yml'}:2:23: {problem}"
    assert rest == f"2 more places in 2 files: {problem}"
    assert shown.err == "3 errors in 5 files.\n"
    run(["check", str(folder / "inner" / "also.yml")])
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_advice_on_a_folder_is_counted_unless_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "unused.yaml"
    path.write_text(HOT + "parameters: {p: {type: string}}\nresources: {r: {type: OS::Heat::None}}\n", encoding="utf-8")
    assert run(["check", str(tmp_path)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("Advice: 1 unused-parameter.")
    run(["check", str(tmp_path), "--advice"])
    listed = capsys.readouterr().out
    run(["check", str(path)])
    assert listed == capsys.readouterr().out
    (tmp_path / "heatstudio.toml").write_text('severity = {advice = "warning"}\n', encoding="utf-8")
    run(["check", str(tmp_path)])
    assert "unused.yaml:2:14: warning: " in capsys.readouterr().out


def test_progress_is_shown_only_in_a_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heatstudio.cli.check._PROGRESS_INTERVAL", -1)
    run(["check", str(folder), "--format", "json"])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run(["check", str(folder), "--format", "json"])
    shown = capsys.readouterr().err
    assert "\r2 of 5 files\r" in shown
    assert shown.endswith("\r")


def test_problems_in_the_baseline_are_hidden(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    baseline, wrong = folder / "baseline.json", folder / "inner" / "wrong.yml"
    assert run(["check", str(folder), "--write-baseline", str(baseline)]) == 0
    assert list(json.loads(baseline.read_text("utf-8"))["problems"]) == ["inner/wrong.yml"]
    wrong.write_text("# moved\n" + wrong.read_text("utf-8"), encoding="utf-8")
    assert run(["check", str(folder), "--baseline", str(baseline)]) == 0
    assert capsys.readouterr().out == ""
    wrong.write_text(HOT + "resources: {b: {type: OS::Nova::NoSuch}}\n", encoding="utf-8")
    assert run(["check", str(folder), "--baseline", str(baseline)]) == 1
    shown = capsys.readouterr()
    assert "unknown-type" in shown.out
    assert "1 problem no longer found" in shown.err
    baseline.write_text('{"version": 1, "problem": {}}', encoding="utf-8")
    assert run(["check", str(folder), "--baseline", str(baseline)]) == 2
    assert "is not a valid baseline" in capsys.readouterr().err


def test_github_gets_annotations(link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(link), "--format", "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    place = f"file={link},line=8,endLine=8,col=18,endColumn=21,title=unknown-property"
    assert f"::error {place}::" in "".join(lines)
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::error"]


def test_junit_reports_only_errors_as_failures(folder: Path, link: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(folder / "good.yaml"), str(link), "--format", "junit"]) == 1
    suites = capsys.readouterr().out.split("<testsuite ")[1:]
    assert [suite.partition(">")[0].split('"')[3:6:2] for suite in suites] == [["1", "0"], ["3", "2"]]
    assert "<failure" not in suites[0]
    failed = [one.partition('type="')[2].partition('"')[0] for one in suites[1].split("<failure ")[1:]]
    assert sorted(failed) == ["property-group", "unknown-property"]
    assert suites[1].count("<system-out>") == 1


def test_inaccessible_folder_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda name, _mode: Path(name) != tmp_path)
    assert run(["check", str(tmp_path)]) == 2
    assert f"cannot read {tmp_path}: permission denied." in capsys.readouterr().err
