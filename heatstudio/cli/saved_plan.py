"""A saved update preview, to apply exactly what was reviewed."""

import json
from collections.abc import Iterator, Mapping
from hashlib import file_digest, scrypt
from pathlib import Path
from secrets import token_hex

import msgspec

from heatstudio.cli.report import plain
from heatstudio.text import Document, DocumentError, read_text, save_document


class SavedPlan(msgspec.Struct, forbid_unknown_fields=True):
    """The plan as JSON, and digests of what it was made from."""

    version: int
    inputs: dict[str, str]
    """SHA-256 of each file, by the name that it was given; empty for one that is not there."""
    salt: str
    parameters: str
    """A digest of the parameter values that is slow to guess them from: they may be secret."""
    plan: object


def save_plan(path: Path, inputs: Mapping[str, Path], values: Mapping[str, str], plan: object) -> None:
    """Write a plan; raises DocumentError."""
    salt = token_hex(16)
    saved = SavedPlan(1, _digests(inputs), salt, _slow_digest(values, salt), plain(plan))
    text = msgspec.json.format(msgspec.json.encode(saved), indent=2).decode() + "\n"
    save_document(Document(text, path), overwrite=True)


def moved_since(path: Path, inputs: Mapping[str, Path], values: Mapping[str, str], plan: object) -> Iterator[str]:
    """Say what is different from when a plan was saved; raises DocumentError if the plan cannot be read."""
    try:
        saved = msgspec.json.decode(read_text(path), type=SavedPlan)
    except msgspec.DecodeError as error:
        raise DocumentError("plan", f"{path} is not a saved plan: {error}.") from error
    now = _digests(inputs)
    for name in sorted({*now, *saved.inputs}):
        if now.get(name) != saved.inputs.get(name):
            yield f"{name} has changed since {path} was saved"
    if _slow_digest(values, saved.salt) != saved.parameters:
        yield f"the parameter values have changed since {path} was saved"
    if json.loads(json.dumps(plain(plan))) != saved.plan:
        yield f"the update no longer matches the plan in {path}"


def _digests(inputs: Mapping[str, Path]) -> dict[str, str]:
    return {name: _digest(path) for name, path in inputs.items()}


def _digest(path: Path) -> str:
    """The digest of a file; empty if there is none to read."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _slow_digest(values: Mapping[str, str], salt: str) -> str:
    return scrypt(json.dumps(sorted(values.items())).encode(), salt=salt.encode(), n=2**14, r=8, p=1).hex()
