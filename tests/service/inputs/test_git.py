"""File versions from git, read without running programs that a repository configures."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from heatstudio.service.inputs.files import files_of_commit
from heatstudio.service.inputs.git import (
    commit_of,
    file_states,
    former_paths,
    git_content,
    git_text,
    revision_at,
    revisions,
)
from heatstudio.stack.load import ENVIRONMENT_ENCODINGS
from heatstudio.text import TEXT_LIMIT

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false")
COMMAND_SETTINGS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.gitProxy", "core.askPass",
    "core.alternateRefsCommand", "core.attributesFile", "core.hooksPath", "credential.helper", "diff.external",
    "diff.spy.textconv", "diff.spy.command", "filter.spy.smudge", "filter.spy.clean", "filter.spy.process",
    "pager.cat-file", "pager.rev-parse", "alias.cat-file", "alias.rev-parse", "gpg.program", "sequence.editor",
    "remote.origin.uploadpack", "remote.origin.receivepack", "remote.origin.vcs", "remote.origin.proxy",
    "uploadpack.packObjectsHook", "interactive.diffFilter", "trace2.eventTarget",
)  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", folder, *IDENTITY, *arguments], capture_output=True, check=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.yaml").write_text("one\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "a.yaml").write_text("two\n")
    return folder


@pytest.fixture
def spy(tmp_path: Path) -> Path:
    """Return a program that creates a file next to itself when it runs."""
    program = tmp_path / "spy"
    program.write_text(f"#!/bin/sh\ntouch {program}.ran\nexit 1\n")
    program.chmod(0o755)
    return program


def was_run(spy: Path) -> bool:
    return spy.with_name("spy.ran").exists()


def test_commits_before_a_rename_are_listed(repository: Path) -> None:
    git(repository, "commit", "-q", "-a", "-m", "two")
    (repository / "sub folder").mkdir()
    git(repository, "mv", "a.yaml", "sub folder/n\u00e4me.yaml")
    git(repository, "commit", "-q", "-m", "move")
    new = repository / "sub folder" / "n\u00e4me.yaml"
    assert [one.subject for one in revisions(new) if one.kind == "commit"] == ["move", "two", "one"]
    assert former_paths(new) == [repository / "a.yaml"]
    oldest = commit_of(new, "HEAD~2")
    assert oldest is not None
    assert (git_text(new, oldest), git_text(former_paths(new)[0], oldest)) == (None, "one\n")
    assert former_paths(repository.parent / "nowhere" / "a.yaml") == []


def test_a_file_of_a_commit_is_read(repository: Path) -> None:
    commit = commit_of(repository / "a.yaml", "HEAD")
    assert commit == git(repository, "rev-parse", "HEAD")
    assert git_text(repository / "a.yaml", commit or "") == "one\n"


def test_commits_of_a_file_branches_and_tags_are_listed(repository: Path) -> None:
    git(repository, "commit", "-q", "--allow-empty", "-m", "about nothing")
    git(repository, "commit", "-q", "-a", "-m", "two\x1b[31m\n\nbody")
    git(repository, "tag", "-m", "the first", "v1", "HEAD~1")
    found = [(one.kind, one.subject) for one in revisions(repository / "a.yaml")]
    branch = git(repository, "branch", "--show-current")
    assert found[:2] == [("commit", "two\x1b[31m"), ("commit", "one")]
    assert sorted(found[2:]) == [("branch", "two\x1b[31m"), ("tag", "the first")]
    assert {one.name for one in revisions(repository / "a.yaml")[2:]} == {branch, "v1"}
    assert revisions(repository.parent / "nowhere" / "a.yaml") == []


def test_unknown_commits_and_files_are_none(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    assert commit_of(repository / "a.yaml", "no-such-branch") is None
    assert commit_of(repository / "a.yaml", "--help") is None
    assert commit_of(repository / "a.yaml", "\0") is None
    assert git_text(repository / "b.yaml", head) is None


def test_files_of_a_commit_are_encoded_as_for_heat(repository: Path) -> None:
    (repository / "binary").write_bytes(b"\xff\xfe")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "binary")
    files = files_of_commit(repository, repository, git(repository, "rev-parse", "HEAD"))
    assert [files.get(name) for name in ("a.yaml", "binary", "gone")] == ["two\n", "//4=\n", None]
    assert git_text(repository / "binary", git(repository, "rev-parse", "HEAD")) is None


def test_an_environment_in_a_commit_may_be_utf_16(repository: Path) -> None:
    (repository / "environment.yaml").write_text("parameters: {}\n", encoding="utf-16")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "environment")
    file, head = repository / "environment.yaml", git(repository, "rev-parse", "HEAD")
    assert git_text(file, head) is None
    assert git_text(file, head, ENVIRONMENT_ENCODINGS) == "\ufeffparameters: {}\n"


def test_git_environment_variables_are_ignored(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert commit_of(repository / "a.yaml", "HEAD") is not None


@pytest.mark.skipif(os.name == "nt", reason="the spy is a shell script")
def test_no_setting_of_a_repository_runs_a_program(repository: Path, spy: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    (repository / ".gitattributes").write_text("* diff=spy filter=spy\n")
    for name in COMMAND_SETTINGS:
        git(repository, "config", name, str(spy))
    git(repository, "config", "log.showSignature", "true")
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"):
        (repository / ".git" / "hooks" / hook).parent.mkdir(exist_ok=True)
        shutil.copy(spy, repository / ".git" / "hooks" / hook)
    assert commit_of(repository / "a.yaml", "HEAD") == head
    assert git_text(repository / "a.yaml", head) == "one\n"
    assert [one.kind for one in revisions(repository / "a.yaml")] == ["commit", "branch"]
    assert revision_at(repository / "a.yaml", head) == revisions(repository / "a.yaml")[0]
    assert file_states(repository) == {repository / "a.yaml": "M", repository / ".gitattributes": "?"}
    assert not was_run(spy)
    git(repository, "config", "filter.a=b.clean", str(spy))
    (repository / ".gitattributes").write_text("* filter=a=b\n")
    assert file_states(repository) == {}
    assert not was_run(spy)


@pytest.mark.skipif(os.name == "nt", reason="the spy is a shell script")
@pytest.mark.parametrize("url", ["{origin}", "ssh://host.invalid/x", "ext::{spy}", "git://host.invalid/x"])
def test_a_partial_clone_fetches_nothing(tmp_path: Path, repository: Path, spy: Path, url: str) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repository}", str(clone))
    git(clone, "config", "remote.origin.url", url.format(origin=f"file://{repository}", spy=spy))
    for name in ("remote.origin.uploadpack", "core.sshCommand", "core.gitProxy"):
        git(clone, "config", name, str(spy))
    git(clone, "config", "protocol.ext.allow", "always")
    commit = commit_of(clone / "a.yaml", "HEAD")
    assert commit is not None
    assert git_text(clone / "a.yaml", commit) is None
    assert not was_run(spy)


def states_in(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): state for path, state in file_states(folder).items()}


@pytest.mark.skipif(os.name == "nt", reason="the spy is a shell script")
def test_git_of_the_current_folder_is_not_run(
    tmp_path: Path, repository: Path, spy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = git(repository, "rev-parse", "HEAD")
    (tmp_path / "git").hardlink_to(spy)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    assert commit_of(repository / "a.yaml", "HEAD") == expected
    assert not was_run(spy)


def test_large_file_of_a_commit_is_not_read(repository: Path) -> None:
    (repository / "a.yaml").write_bytes(b"#" * (TEXT_LIMIT + 1))
    git(repository, "commit", "-qam", "large")
    commit = git(repository, "rev-parse", "HEAD")
    assert git_content(repository / "a.yaml", commit) is None
    assert git_content(repository / "a.yaml", f"{commit}~1") == b"one\n"


def test_states_match_git_status(repository: Path) -> None:
    inner = repository / "inner"
    inner.mkdir()
    for name in ("kept.yaml", "changed.yaml", "staged.yaml"):
        (inner / name).write_text("one\n")
    (repository / ".gitignore").write_text("ignored.yaml\n")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "two")
    for name in ("changed.yaml", "staged.yaml", "added.yaml"):
        (inner / name).write_text("two\n")
    git(repository, "add", "inner/staged.yaml", "inner/added.yaml")
    for name in ("ignored.yaml", "ünknown.yaml"):
        (inner / name).write_text("")
    expected = {"added.yaml": "A", "changed.yaml": "M", "staged.yaml": "M", "ünknown.yaml": "?"}
    assert states_in(inner) == expected
    assert states_in(repository) == {f"inner/{name}": state for name, state in expected.items()}


def test_a_file_in_conflict_is_reported(repository: Path) -> None:
    git(repository, "commit", "-q", "-a", "-m", "two")
    git(repository, "checkout", "-q", "-b", "other", "HEAD~1")
    (repository / "a.yaml").write_text("three\n")
    git(repository, "commit", "-q", "-a", "-m", "three")
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "merge", "-q", "-")
    assert states_in(repository) == {"a.yaml": "U"}


def test_every_file_is_added_before_the_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.yaml").write_text("one\n")
    git(tmp_path, "add", ".")
    assert states_in(tmp_path) == {"a.yaml": "A"}


def test_a_folder_without_git_has_no_states(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("one\n")
    assert states_in(tmp_path) == {}
