"""Semantic models of texts in which a mark stands for the cursor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.suggestion import Completion
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.stack.definition.files import Files
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_environment, parse_template
from heatstudio.template.dialect import begins_with_version

CARET = "‸"
HOT = "heat_template_version: 2021-04-16\n"


@cache
def knowledge() -> Knowledge:
    return load_knowledge()


@dataclass(frozen=True)
class FileTexts(Files):
    texts: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str, /) -> str | None:
        return self.texts.get(name)

    def names(self) -> Iterable[str]:
        return self.texts

    def templates(self) -> Iterable[str]:
        return (name for name, text in self.texts.items() if begins_with_version(text))


def model_of(
    text: str, files: Mapping[str, str] | None = None, environments: Mapping[str, str] | None = None
) -> SemanticModel:
    written = {**(files or {}), **(environments or {})}
    source = Source(
        parse_template(text),
        tuple(EnvironmentFile(name, parse_environment(one).data) for name, one in (environments or {}).items()),
        FileTexts(written),
    )
    stack, types = define(source, knowledge())
    return SemanticModel(source, stack, types, knowledge())


def marked(text: str) -> tuple[str, int]:
    """Return the text without the mark, and the offset of the mark."""
    return text.replace(CARET, "", 1), text.index(CARET)


def model_at(
    text: str, files: Mapping[str, str] | None = None, environments: Mapping[str, str] | None = None
) -> tuple[SemanticModel, int]:
    plain, offset = marked(text)
    return model_of(plain, files, environments), offset


def completions(
    text: str,
    files: Mapping[str, str] | None = None,
    environments: Mapping[str, str] | None = None,
    *,
    explicit: bool = True,
) -> list[Completion]:
    model, offset = model_at(text, files, environments)
    return complete(model, offset, explicit)


def labels(
    text: str, files: Mapping[str, str] | None = None, environments: Mapping[str, str] | None = None
) -> list[str]:
    return [one.label for one in completions(text, files, environments)]
