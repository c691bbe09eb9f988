"""Saved previews, which verify that the applied update is the reviewed update."""

import json
from collections.abc import Iterator, Mapping
from hashlib import scrypt, sha256
from pathlib import Path
from secrets import token_hex

import msgspec

from heatstudio.text import DATA_LIMIT, DocumentError, FileDocument, read_bytes, read_text, save_document

NO_PLAN = "no-plan"
"""The code of the error for a file that is not a saved plan."""


class SavedPlan(msgspec.Struct, forbid_unknown_fields=True):
    """The plan as JSON, and digests of its inputs."""

    version: int
    inputs: dict[str, str]
    """The SHA-256 digest of each file by its given name; empty if the file is unreadable."""
    salt: str
    parameters: str
    """A slow salted digest of the parameter values, which may be secret."""
    plan: object


def save_plan(path: Path, inputs: Mapping[str, Path], values: Mapping[str, object], plan: object) -> None:
    """Write a plan to a file. Raise DocumentError."""
    salt = token_hex(16)
    saved = SavedPlan(1, _digests(inputs), salt, _slow_digest(values, salt), plan)
    text = json.dumps(msgspec.structs.asdict(saved), indent=2) + "\n"  # msgspec encodes no subclasses of str
    save_document(FileDocument(text, path), overwrite=True)


def changes_since(path: Path, inputs: Mapping[str, Path], values: Mapping[str, object], plan: object) -> Iterator[str]:
    """Yield the changes since a plan was saved. Raise DocumentError if the plan cannot be read."""
    saved = _plan_in(read_text(path, limit=DATA_LIMIT), path)
    now = _digests(inputs)
    for name in sorted({*now, *saved.inputs}):
        if now.get(name) != saved.inputs.get(name):
            yield f"{name} has changed since {path} was saved"
    if _slow_digest(values, saved.salt) != saved.parameters:
        yield f"the parameter values have changed since {path} was saved"
    if json.loads(json.dumps(plan)) != saved.plan:
        yield f"the update no longer matches the plan in {path}"


def old_template(text: str, path: Path) -> Path:
    """Return the old template of a saved plan, which is named relative to the plan or to a folder around it.

    Raise DocumentError if the text is not a saved plan, or the template has changed since.
    """
    name, digest = next(iter(_plan_in(text, path).inputs.items()), ("", ""))
    found = next((file for folder in path.absolute().parents if _digest(file := folder / name) == digest != ""), None)
    if found is None:
        raise DocumentError("plan-changed", f"{name} has changed since {path.name} was saved, or was moved.")
    return found


def _plan_in(text: str, path: Path) -> SavedPlan:
    try:
        return msgspec.convert(json.loads(text), SavedPlan)
    except (ValueError, RecursionError) as error:
        raise DocumentError(NO_PLAN, f"{path} is not a saved plan: {error}.") from error


def _digests(inputs: Mapping[str, Path]) -> dict[str, str]:
    return {name: _digest(path) for name, path in inputs.items()}


def _digest(path: Path) -> str:
    """Return the SHA-256 digest of a file; empty if the file cannot be read."""
    try:
        return sha256(read_bytes(path)).hexdigest()
    except DocumentError:
        return ""


def _slow_digest(values: Mapping[str, object], salt: str) -> str:
    return scrypt(json.dumps(sorted(values.items())).encode(), salt=salt.encode(), n=2**14, r=8, p=1).hex()
