"""`heatstudio test`, and the same tests as problems of the file in the window."""

from __future__ import annotations

from pathlib import Path
from xml.parsers.expat import ParserCreate

import pytest

from heatstudio.cli import run
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import real_path

TEMPLATE = """heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: small}
  count: {type: number, default: 1, constraints: [{range: {max: 5}}]}
  key: {type: string, default: hidden-text, hidden: true}
conditions:
  many: {not: {equals: [{get_param: count}, 1]}}
resources:
  pool: {type: OS::Heat::Value, condition: many, properties: {value: 1}}
  random: {type: OS::Heat::RandomString, properties: {length: {get_param: count}, salt: {get_param: key}}}
outputs:
  size: {value: {get_param: size}}
  text: {value: {get_attr: [random, value]}}
"""
TESTS = """# ours
tests:
  - name: as written  # the default
    conditions: {many: false}
    resources: {random: {length: 1}, pool: null}
    outputs: {size: small}
  - name: in production
    environments: [env.yaml]
    outputs: {size: large}
  - name: too many
    parameters: {count: 9}
    errors: [invalid-parameter]
  - name: more are added
    parameters: {count: 3}
    resources: {pool: {value: 1}}
    update: {parameters: {count: 1}, added: [pool], replaced: [random], deleted: []}
"""


@pytest.fixture
def tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("web.yaml").write_text(TEMPLATE, encoding="utf-8")
    Path("env.yaml").write_text("parameters: {size: large}\n", encoding="utf-8")
    Path("web.test.yaml").write_text(TESTS, encoding="utf-8")
    return Path("web.test.yaml")


def test_tests_pass_and_are_counted(tests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "passed: as written",
        "passed: in production",
        "passed: too many",
        "passed: more are added",
    ]
    assert said.err == "4 tests, 0 failed.\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("{many: false}", "{many: true}", 4, "`conditions.many` is `false`, not `true`."),
        ("length: 1", "length: '1'", 5, "`resources.random.length` is `1`, not `1`."),
        ("pool: null", "pool: {value: 1}", 5, "`pool` is not created."),
        ("resources: {pool: {value: 1}}", "resources: {pool: null}", 15, "`pool` is created."),
        ("{size: small}", "{text: a}", 6, "`outputs.text` is not known without a cloud."),
        ("errors: [invalid-parameter]", "errors: []", 10, "Unexpected error: "),
        ("{size: small}", "{size: small}\n    errors: [unknown-type]", 7, "There is no error `unknown-type`."),
        ("added: [pool]", "added: []", 16, "`added` by the update: `pool`."),
        ("replaced: [random]", "replaced: [random, a]", 16, "`replaced` by the update: `random`."),
        ("[env.yaml]", "[../env.yaml]", 7, "`../env.yaml` is outside "),
        ("[env.yaml]", "[missing.yaml]", 7, "missing.yaml"),
        ("[invalid-parameter]", "[invalid-parameter]\n    update: {replaced: []}", 13, "Heat would reject the update"),
        ("name: as written", "title: as written", 3, "Unknown key `title`."),
        ("# ours", "template: none.yaml", 3, "no such file"),
        ("# ours", "x: y: z", 1, "y"),
    ],
)
def test_failure_names_its_line_and_the_difference(
    tests: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, line: int, message: str
) -> None:
    assert old in TESTS
    tests.write_text(TESTS.replace(old, new), encoding="utf-8")
    assert run(["test", str(tests)]) == 1
    said = capsys.readouterr().out
    assert "failed: " in said
    (failure,) = (one for one in said.splitlines() if one.startswith(f"  web.test.yaml:{line}: "))
    assert message in failure


def test_expectations_are_rewritten_and_the_rest_of_the_file_stays(
    tests: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = TESTS.replace("{size: small}", "{size: tiny}").replace("many: false", "many: true")
    tests.write_text(wrong.replace("added: [pool]", "added: []"), encoding="utf-8")
    assert run(["test", "--update"]) == 0
    assert tests.read_text(encoding="utf-8") == TESTS
    assert "0 failed" in capsys.readouterr().err


def test_junit_has_a_case_for_each_test(tests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests.write_text(TESTS.replace("size: large", "size: <&>"), encoding="utf-8")
    assert run(["test", "--format", "junit"]) == 1
    elements: list[tuple[str, dict[str, str]]] = []
    parser = ParserCreate()
    parser.StartElementHandler = lambda name, attributes: elements.append((name, attributes))
    parser.Parse(capsys.readouterr().out, True)
    names = [name for name, _ in elements]
    assert names == ["testsuites", "testsuite", "testcase", "testcase", "failure", "testcase", "testcase"]
    assert (elements[1][1]["tests"], elements[1][1]["failures"]) == ("4", "1")


def test_hidden_values_are_masked(tests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests.write_text(TESTS.replace("length: 1", "salt: a"), encoding="utf-8")
    assert run(["test"]) == 1
    assert "hidden-text" not in capsys.readouterr().out


def test_folder_without_tests_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", str(tmp_path)]) == 2
    assert "no file ends with .test.yaml" in capsys.readouterr().err


def test_editor_shows_failures_for_the_unsaved_template(tests: Path) -> None:
    engine, template = Engine(), real_path(Path("web.yaml"))
    snapshot = Snapshot(TESTS, tests, open_texts={template: TEMPLATE.replace("default: small", "default: tiny")})
    (failure,) = engine.analyze(snapshot, None).diagnostics
    assert failure.code == "failed-test"
    assert failure.fixes[0].title == "Expect this"
    assert {template, real_path(Path("env.yaml"))} <= engine.files_read(snapshot).keys()
