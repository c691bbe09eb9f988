"""`heatstudio fix`: applied fixes, fixes in a diff, and remaining problems."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.cli import run

OLD = (
    "heat_template_version: 2021-04-16\n"
    "resources:\n"
    "  port:\n"
    "    type: OS::Neutron::Port\n"
    "    properties:\n"
    "      network_id: private  # heatstudio: ignore[type-support]\n"
    "      nam: a  # stays\n"
)
NEW = OLD.replace("network_id", "network").replace("  # heatstudio: ignore[type-support]", "")


@pytest.fixture
def port(tmp_path: Path) -> Path:
    path = tmp_path / "port.yaml"
    path.write_bytes(OLD.encode())
    return path


def test_safe_fixes_are_applied_and_reported(port: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fix", str(port)]) == 0
    assert port.read_bytes() == NEW.encode()
    assert capsys.readouterr().out.splitlines() == [
        f"{port}:6: `network` replaces `network_id`.",
        f"{port}:6: Remove this suppression.",
    ]
    stamp = port.stat().st_mtime_ns
    assert run(["fix", str(port)]) == 0
    assert (capsys.readouterr().out, port.stat().st_mtime_ns) == ("", stamp)


def test_fixes_for_later_deprecations_are_not_applied(port: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fix", "--release", "Icehouse", str(port)]) == 0
    assert "network_id: private\n" in port.read_text()
    assert run(["fix", "--release", "Atlantis", str(port)]) == 2
    assert run(["fix", "--client-version", "novva=2.1", str(port)]) == 2


def test_suppressions_needed_by_the_target_are_used(tmp_path: Path) -> None:
    path = tmp_path / "server.yaml"
    text = (
        "heat_template_version: 2021-04-16\n"
        "resources:\n"
        "  server:\n"
        "    type: OS::Nova::Server\n"
        "    properties:\n"
        "      flavor: f\n"
        "      image: i\n"
        "      networks: [{network: n}]\n"
        "      # heatstudio: ignore[property-group] the cloud is old\n"
        "      tags: [a]\n"
    )
    path.write_text(text)
    assert run(["fix", "--client-version", "nova=2.9", str(path)]) == 0
    assert path.read_text() == text
    assert run(["fix", str(path)]) == 0
    assert "ignore" not in path.read_text()


def test_diff_is_printed_without_writing_the_file(port: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fix", "--diff", str(port)]) == 0
    assert port.read_bytes() == OLD.encode()
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"--- {port} (now)", f"+++ {port} (fixed)"]
    assert "-      network_id: private  # heatstudio: ignore[type-support]" in lines
    assert "+      network: private" in lines
    assert sum(line.startswith("+") for line in lines) == 2


def test_problems_that_need_a_decision_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "interface.yaml"
    file.write_text(
        "heat_template_version: 2021-04-16\nresources:\n  a:\n    type: OS::Neutron::RouterInterface\n"
        "    properties: {router_id: a, subnet: b, port: c}\n"
    )
    assert run(["fix", str(file)]) == 0
    reported = capsys.readouterr()
    assert "{router: a, subnet: b, port: c}" in file.read_text()
    assert reported.out.count("\n") == 1
    left, total = reported.err.splitlines()
    assert total == "1 fix in 1 file; 1 problem needs your decision."
    assert left.startswith(f"{file}:5: needs your decision: Exactly one of `subnet` or `port` is required")
    assert left.endswith("[property-group] (Keep only `subnet`; Keep only `port`)")
    assert run(["fix", "--diff", str(file)]) == 0
    assert capsys.readouterr().err.splitlines()[0] == left


def test_suppressed_problems_are_not_fixed(port: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suppressed = OLD.replace("type-support", "property-support")
    port.write_bytes(suppressed.encode())
    assert run(["fix", str(port)]) == 0
    assert port.read_bytes() == suppressed.encode()
    assert capsys.readouterr().out == ""


def test_unreadable_file_does_not_prevent_fixes_of_other_files(port: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fix", str(port.with_name("no.yaml")), str(port)]) == 2
    assert port.read_bytes() == NEW.encode()
    assert capsys.readouterr().err.count("no such file") == 1


def test_line_ends_and_byte_order_mark_are_kept(port: Path) -> None:
    port.write_bytes(("\ufeff" + OLD.replace("\n", "\r\n")).encode())
    assert run(["fix", str(port)]) == 0
    assert port.read_bytes() == ("\ufeff" + NEW.replace("\n", "\r\n")).encode()


def test_nested_duplicate_keys_are_removed_in_two_runs(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    head, entry = "heat_template_version: 2021-04-16\n", "  a:\n    type: OS::Heat::None\n"
    section = f"resources:\n{entry}    type: OS::Heat::None\n"
    path.write_text(head + section + section, "utf-8")
    for _ in range(2):
        assert run(["fix", str(path)]) == 0
    assert path.read_text("utf-8") == f"{head}resources:\n{entry}"


def test_function_moves_only_if_the_replacement_accepts_its_value(tmp_path: Path) -> None:
    path = tmp_path / "random.yaml"
    text = (
        "heat_template_version: 2021-04-16\n"
        "parameters:\n"
        "  characters: {type: string, default: bogus}\n"
        "resources:\n"
        "  random: {type: OS::Heat::RandomString, properties: {sequence: {get_param: characters}}}\n"
    )
    path.write_text(text)
    assert run(["fix", str(path)]) == 0
    assert path.read_text() == text
    for given in ("digits", "''", "lowercase"):
        path.write_text(text.replace("bogus", given))
        assert run(["fix", str(path)]) == 0
        assert ("character_classes: " in path.read_text()) is (given != "''"), given


def test_function_with_an_empty_value_is_not_moved_if_its_meaning_changes(tmp_path: Path) -> None:
    path = tmp_path / "gateway.yaml"
    text = (
        "heat_template_version: 2021-04-16\n"
        "parameters:\n"
        "  outside: {type: string, default: ''}\n"
        "resources:\n"
        "  gate: {type: OS::Neutron::RouterGateway, properties: {router_id: r, network_id: {get_param: outside}}}\n"
    )
    path.write_text(text)
    assert run(["fix", str(path)]) == 0
    assert path.read_text() == text
    path.write_text(text.replace("''", "public"))
    assert run(["fix", str(path)]) == 0
    assert "network: {get_param: outside}" in path.read_text()


def test_fewer_fixes_are_tried_in_a_long_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = "".join(f"  r{number}: {{type: OS::Heat::Nonne}}\n" for number in range(150))
    listed = []
    for comment in ("", "# long\n" * 30_000):
        path = tmp_path / "long.yaml"
        path.write_text(f"heat_template_version: 2021-04-16\nresources:\n{wrong}{comment}")
        assert run(["fix", str(path)]) == 0
        *named, rest, _total = capsys.readouterr().err.splitlines()
        assert rest.endswith(f"{150 - len(named)} more problems; `heatstudio check` lists all.")
        listed.append(len(named))
    assert listed[0] == 100
    assert 0 < listed[1] < 50


@pytest.mark.parametrize("end", ["\n", ""])
def test_diff_is_a_patch_for_every_kind_of_line_end(port: Path, capsys: pytest.CaptureFixture[str], end: str) -> None:
    odd = OLD.replace("nam: a  # stays\n", f'nam: "a\u2028\x85b"  # stays{end}')
    port.write_bytes(odd.encode())
    assert run(["fix", "--diff", str(port)]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert [line for line in lines if line.startswith(("-  ", "+  "))] == [
        "-      network_id: private  # heatstudio: ignore[type-support]",
        "+      network: private",
    ]
    assert ("\\ No newline at end of file" in lines) is not bool(end)


def test_folder_is_fixed_and_counted(port: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "inner").mkdir()
    inner, other = tmp_path / "inner" / "a.hot", tmp_path / "values.yaml"
    inner.write_bytes(OLD.encode())
    other.write_text("template:\n  " + OLD.replace("\n", "\n  "), encoding="utf-8")
    (tmp_path / "heatstudio.toml").write_text("severity = {type-support = 'hint'}\n", encoding="utf-8")
    run(["check", str(tmp_path)])
    assert capsys.readouterr().err.endswith(" `heatstudio fix` solves 4 of them.\n")
    assert run(["fix", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    places = [line.partition(" ")[0] for line in shown.out.splitlines()]
    assert places == [f"{one}:6:" for one in (port, port, inner, inner)]
    assert shown.err.endswith("4 fixes in 2 files; 2 problems need your decision.\n")
    assert port.read_bytes() == inner.read_bytes() == NEW.encode()
    run(["check", str(tmp_path)])
    assert "solves" not in capsys.readouterr().err
