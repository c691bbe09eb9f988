"""The environment files of snapshots: parsed once for each text, and limited together."""

from __future__ import annotations

from pathlib import Path

from heatstudio.service.inputs.environments import Environments
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.inputs.environment import EnvironmentFile


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_environment_is_parsed_again_only_after_a_change(tmp_path: Path) -> None:
    path = written(tmp_path, "a.yaml", "parameters: {a: 1}\n")
    environments, snapshot = Environments(), Snapshot("", environments=(path, path))
    first, second = environments.of(snapshot)
    assert isinstance(first, EnvironmentFile)
    assert first is second
    written(tmp_path, "a.yaml", "parameters: {a: 2}\n")
    changed = next(environments.of(snapshot))
    unsaved = next(environments.of(snapshot._replace(open_texts={path: "parameters: {a: 3}\n"})))
    assert [one.data for one in (first, changed, unsaved) if isinstance(one, EnvironmentFile)] == [
        {"parameters": {"a": number}} for number in (1, 2, 3)
    ]


def test_environments_are_limited_together(tmp_path: Path) -> None:
    paths = tuple(written(tmp_path, f"{number}.yaml", "# " + "x" * 600_000) for number in range(3))
    (complaint,) = Environments().of(Snapshot("", environments=paths))
    assert complaint == f"{paths[1]}: the environments have more than 1 MB together, too much for Heat."
    assert all(isinstance(one, EnvironmentFile) for one in Environments().of(Snapshot("", environments=paths[:1])))
    assert list(Environments().of(Snapshot("", environments=(tmp_path / "gone",)))) != []
