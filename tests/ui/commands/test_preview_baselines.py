"""Baselines of a document: a commit with its files, an exported stack, another file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from heatstudio.cli import run
from heatstudio.ui.window.window import Window
from heatstudio.update.plan.plan_text import plan_lines
from heatstudio.update.plan.update_plan import UpdatePlan
from tests.ui.bench import bench
from tests.ui.opening import plan_of

HEAD = "heat_template_version: 2021-04-16\n"
TOP = HEAD + "resources:\n  sub: {type: lib/child.yaml}\n"
CHILD = (
    HEAD
    + "resources:\n  text: {type: OS::Heat::RandomString, properties: {length: %s}}\n  deep: {type: deeper/deep.yaml}\n"
)
DEEP = HEAD + "resources:\n  value: {type: OS::Heat::Value, properties: {value: {get_file: words.txt}}}\n"
OWNER = "parameters: {owner: %s}\n"


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    names = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    names |= {f"GIT_{who}_{what}": "me@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run([shutil.which("git") or "git", *arguments], cwd=folder, check=True, env={**os.environ, **names})


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with two commits of a template, nested templates and files, and other content on disk."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path / "templates"
    write(folder, {"top.yaml": TOP, "lib/child.yaml": CHILD % 8, "lib/deeper/deep.yaml": DEEP})
    write(folder, {"lib/deeper/words.txt": "first"})
    git(folder, "init", "-q", "-b", "main")
    for number, words in enumerate(("second", "third")):
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", str(number))
        write(folder, {"lib/deeper/words.txt": words})
    write(folder, {"lib/child.yaml": CHILD % 9})
    return folder


def planned(qtbot: QtBot, window: Window, label: str) -> UpdatePlan:
    """Wait for the plan against the baseline with this label, and return it."""
    document = window.session.current
    assert document is not None
    qtbot.waitUntil(lambda: document.baseline.label == label)
    for _ in range(2):  # the first answer may belong to an earlier request
        with qtbot.waitSignal(window.session.plan_changed):
            window.session.check()
    plan = plan_of(document)
    assert plan is not None
    return plan


def lines(plan: UpdatePlan) -> list[str]:
    return [line.strip().rpartition(" (")[0] for line in plan_lines(plan)]


def test_nested_files_come_from_the_same_commit(qtbot: QtBot, real: Window, repository: Path) -> None:
    real.files.open([str(repository / "top.yaml")])
    real.actions_by_name["against-git"].trigger()
    found = lines(planned(qtbot, real, "git HEAD"))
    assert "length: 8 -> 9" in found
    assert "value: second -> third" in found


def test_commit_branch_or_tag_is_picked_from_a_list(qtbot: QtBot, real: Window, repository: Path) -> None:
    git(repository, "tag", "first", "HEAD~1")
    real.files.open([str(repository / "top.yaml")])
    real.actions_by_name["against-revision"].trigger()
    picker = bench(real).picker
    qtbot.waitUntil(picker.isVisible)
    rows = [(choice.text, choice.badge) for choice in picker._choices]
    assert rows == [("0", "commit"), ("main", "branch"), ("first", "tag")]
    picker._choices[0].pick()
    assert "value: first -> third" in lines(planned(qtbot, real, "git commit"))
    document = real.session.current
    assert document is not None
    assert document.baseline.detail.startswith("0 (")


def test_commit_before_a_rename_is_read_under_the_old_name(qtbot: QtBot, real: Window, repository: Path) -> None:
    (repository / "stacks").mkdir()
    git(repository, "mv", "top.yaml", "stacks/web.yaml")
    git(repository, "commit", "-q", "-a", "-m", "rename")
    real.files.open([str(repository / "stacks" / "web.yaml")])
    qtbot.waitUntil(lambda: label(real) == "git HEAD")
    document = real.session.current
    real.files.baselines.compare_with_git(document, "HEAD~2")
    planned(qtbot, real, "git HEAD~2")
    assert document is not None
    assert document.baseline.path == repository / "top.yaml"
    assert document.baseline.text == TOP
    assert document.baseline.detail.endswith(", as top.yaml")


def label(window: Window) -> str:
    return window.session.current.baseline.label if window.session.current is not None else ""


def test_git_head_is_the_baseline_of_a_file_that_it_has(qtbot: QtBot, real: Window, repository: Path) -> None:
    write(repository, {"untracked.yaml": TOP})
    real.files.open([str(repository / "untracked.yaml")])
    real.files.open([str(repository / "top.yaml")])
    qtbot.waitUntil(lambda: label(real) == "git HEAD")
    document = real.session.current
    assert document is not None
    document.change(HEAD)
    real.files.save(document)
    assert (document.baseline.label, document.old_text) == ("git HEAD", TOP)
    real.session.make_current(real.session.documents[0])
    qtbot.waitUntil(lambda: not real.session.is_analyzing)
    assert label(real) == "as opened"


def test_chosen_baseline_is_kept_for_the_next_time(qtbot: QtBot, real: Window, repository: Path) -> None:
    path = repository / "top.yaml"
    real.files.open([str(path)])
    document = real.session.current
    assert document is not None
    real.actions_by_name["against-saved"].trigger()
    qtbot.waitUntil(lambda: real.session.settings.baselines.get(path) == ("saved",))
    real.session.close(document)
    real.files.open([str(path)])
    qtbot.waitUntil(lambda: label(real) == "last saved")


def test_lost_baseline_is_reported(qtbot: QtBot, real: Window, repository: Path) -> None:
    real.session.settings.set_baseline(repository / "top.yaml", ("git", "deleted-branch"))
    real.files.open([str(repository / "top.yaml")])
    qtbot.waitUntil(lambda: real.area.banner.sentence == "Unknown git revision deleted-branch.")
    assert label(real) == "as opened"


@pytest.mark.parametrize("choice", [("git",), ("file",), ("stack",), ("unknown", "a")])
def test_invalid_choice_in_the_settings_is_ignored(
    qtbot: QtBot, real: Window, repository: Path, choice: tuple[str, ...]
) -> None:
    real.session.settings.set_baseline(repository / "top.yaml", choice)
    real.files.open([str(repository / "top.yaml")])
    for _ in range(2):
        with qtbot.waitSignal(real.session.plan_changed):
            real.session.check()
    assert (label(real), real.area.banner.sentence) == ("as opened", "")


def test_saved_plan_leads_to_its_old_template(
    qtbot: QtBot, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"old.yaml": DEEP, "new.yaml": DEEP.replace("words.txt", "other.txt")})
    write(tmp_path, {"words.txt": "old", "other.txt": "new"})
    monkeypatch.chdir(tmp_path)
    run(["preview", "old.yaml", "new.yaml", "--out", "plan.json"])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "plan.json"), ""))
    real.files.open([str(tmp_path / "new.yaml")])
    real.actions_by_name["against-file"].trigger()
    assert "value: old -> new" in lines(planned(qtbot, real, "plan plan.json"))
    write(tmp_path, {"old.yaml": DEEP + "\n"})
    real.actions_by_name["against-file"].trigger()
    qtbot.waitUntil(lambda: "old.yaml has changed since plan.json was saved" in real.area.banner.sentence)


def test_deleted_files_are_read_from_the_commit(qtbot: QtBot, real: Window, repository: Path) -> None:
    shutil.rmtree(repository / "lib")
    write(repository, {"top.yaml": HEAD + "resources: {}\n"})
    real.files.open([str(repository / "top.yaml")])
    real.actions_by_name["against-git"].trigger()
    assert [change.name for change in planned(qtbot, real, "git HEAD").changes] == ["sub"]
    document = real.session.current
    assert document is not None
    assert real.session.engine is not None
    document.change(TOP)
    write(repository, {"lib/child.yaml": CHILD % 9, "lib/deeper/deep.yaml": DEEP, "lib/deeper/words.txt": "new"})
    assert "length: 8 -> 9" in lines(planned(qtbot, real, "git HEAD"))


def test_environments_come_from_the_commit(qtbot: QtBot, real: Window, repository: Path) -> None:
    top = HEAD + "parameters: {owner: {type: string}}\nresources:\n"
    top += "  net: {type: OS::Neutron::Net, properties: {tenant_id: {get_param: owner}}}\n"
    write(repository, {"net.yaml": top, "env.yaml": OWNER % "a"})
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "environment")
    write(repository, {"env.yaml": OWNER % "b"})
    real.files.open([str(repository / "net.yaml")])
    document = real.session.current
    assert document is not None
    real.session.set_environments(document, (repository / "env.yaml",))
    real.actions_by_name["against-git"].trigger()
    assert "tenant_id: a -> b" in lines(planned(qtbot, real, "git HEAD"))


def test_environment_that_is_not_in_git_is_that_of_the_commit(qtbot: QtBot, real: Window, repository: Path) -> None:
    top = HEAD + "parameters: {owner: {type: string, default: a}}\nresources:\n"
    top += "  net: {type: OS::Neutron::Net, properties: {tenant_id: {get_param: owner}}}\n"
    write(repository, {"net.yaml": top})
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "template")
    write(repository, {"secret.yaml": OWNER % "b"})
    real.files.open([str(repository / "net.yaml")])
    document = real.session.current
    assert document is not None
    real.session.set_environments(document, (repository / "secret.yaml",))
    assert [str(one.action) for one in planned(qtbot, real, "git HEAD").changes] == ["unchanged"]


def test_new_commits_of_a_branch_are_read_when_the_window_is_activated(
    qtbot: QtBot, real: Window, repository: Path
) -> None:
    real.files.open([str(repository / "top.yaml")])
    real.actions_by_name["against-git"].trigger()
    planned(qtbot, real, "git HEAD")
    git(repository, "commit", "-q", "-a", "-m", "more")
    assert "length: 8 -> 9" in lines(planned(qtbot, real, "git HEAD"))
    document = real.session.current
    assert document is not None
    known = document.baseline
    real.files.baselines.refresh()
    qtbot.waitUntil(lambda: document.baseline is not known)
    assert "length: 8 -> 9" not in lines(planned(qtbot, real, "git HEAD"))


@pytest.mark.parametrize(
    ("name", "revision", "message"),
    [
        ("top.yaml", "no-such-branch", "Unknown git revision no-such-branch"),
        ("top.yaml", "--help", "Unknown git revision --help"),
        ("top.yaml", "HEAD:lib", "Unknown git revision HEAD:lib"),
        ("new.yaml", "HEAD", "new.yaml does not exist in git revision HEAD"),
    ],
)
def test_unknown_revision_or_file_is_reported(
    qtbot: QtBot, real: Window, repository: Path, name: str, revision: str, message: str
) -> None:
    if not (repository / name).exists():
        (repository / name).write_text((repository / "top.yaml").read_text())
    real.files.open([str(repository / name)])
    real.files.baselines.compare_with_git(real.session.current, revision)
    qtbot.waitUntil(lambda: message in real.area.banner.sentence)


EXPORTED = {
    "name": "web",
    "template": {
        "heat_template_version": "2021-04-16",
        "parameters": {"owner": {"type": "string"}},
        "resources": {
            "net": {"type": "OS::Neutron::Net", "properties": {"tenant_id": {"get_param": "owner"}}},
            "port": {"type": "OS::Neutron::Port", "properties": {"network": {"get_resource": "net"}}},
            "sub": {"type": "file:///elsewhere/child.yaml"},
        },
    },
    "files": {
        "file:///elsewhere/child.yaml": HEAD
        + "resources:\n  text: {type: OS::Heat::RandomString, properties: {length: 4}}\n"
    },
    "environment": {"parameters": {"owner": "a"}},
    "resources": {"net": {"resource_id": "id-1", "action": "CREATE", "status": "COMPLETE"}},
}
NEW = (
    HEAD
    + """parameters: {owner: {type: string}}
resources:
  net: {type: OS::Neutron::Net, properties: {tenant_id: {get_param: owner}}}
  port: {type: OS::Neutron::Port, properties: {network: id-1}}
  sub: {type: child.yaml}
"""
)


@pytest.mark.parametrize("command", ["against-file", "against-stack"])
def test_exported_stack_provides_its_inputs_and_ids(
    qtbot: QtBot, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    child = HEAD + "resources:\n  text: {type: OS::Heat::RandomString, properties: {length: 5}}\n"
    write(tmp_path, {"new.yaml": NEW, "child.yaml": child, "stack.json": json.dumps(EXPORTED)})
    chosen = str(tmp_path / "stack.json")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (chosen, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([chosen], ""))
    real.files.open([str(tmp_path / "new.yaml")])
    real.actions_by_name[command].trigger()
    found = planned(qtbot, real, "stack web")
    assert [str(change.action) for change in found.changes] == ["unchanged", "unchanged", "updated"]
    assert "length: 4 -> 5" in lines(found)
    document = real.session.current
    assert document is not None
    assert document.old_text.startswith(f"{HEAD}parameters:\n")


def test_file_without_stack_data_is_reported(
    qtbot: QtBot, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"new.yaml": NEW, "other.txt": "- 1\n"})
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(tmp_path / "other.txt")], ""))
    real.files.open([str(tmp_path / "new.yaml")])
    real.actions_by_name["against-stack"].trigger()
    qtbot.waitUntil(lambda: "other.txt does not describe a stack" in real.area.banner.sentence)
