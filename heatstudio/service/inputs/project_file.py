"""The project file `heatstudio.toml`, in the folder of a template or above, which configures the checks.

The page `resources/pages/project-file.md` describes the keys.
"""

import os
import re
import tomllib
from collections.abc import Container, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct, ValidationError, convert, json

from heatstudio.analysis import Analysis, Diagnostic
from heatstudio.analysis.analyze import not_analyzed
from heatstudio.analysis.pages import pages
from heatstudio.analysis.problem_limit import MOST_ERRORS
from heatstudio.analysis.scope.semantic_model import Rule
from heatstudio.catalog.cloud.known_cloud import CloudCatalog, ReportedTypes, imported_types
from heatstudio.catalog.facts import Facts, mapping
from heatstudio.catalog.release import find_release
from heatstudio.service.inputs.freshness import CurrentMarks, FileMark, mark_of
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.functions.budget import HEAT_LIMITS, YaqlLimits
from heatstudio.stack.functions.yaql_function import expression_fault
from heatstudio.stack.groups.group_context import read_api_version
from heatstudio.template import parse_template
from heatstudio.text import DATA_LIMIT, FAMILIES, DocumentError, LineIndex, Severity, is_file, read_text, real_path

Key = str | int
_TABLE = re.compile(r"[ \t]*(\[\[?)([^\[\]\n]+)\]")
_ENTRY = re.compile(r"[ \t]*((?:\"[^\"\n]*\"|'[^'\n]*'|[\w.-])+)[ \t]*=")
_KEY = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_STEP = re.compile(r"\.([\w-]+)|\[(\d+)\]|\[(\.\.\.)\]")


_MOST_CHARACTERS, _MOST_NAMES = 256 * 1024, 1_000
_LONG_KEY = re.compile(
    r"""(?:^|[{,])[ \t\[]*+(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""", re.MULTILINE
)
"""A key of more than 32 parts: `tomllib` needs memory for the square of their number."""


def line_of(text: str, path: Sequence[Key]) -> int:
    """Return the zero-based line of the deepest table or entry on a path, which `tomllib` does not report."""
    lines = _lines(text)
    return next((lines[place] for depth in range(len(path), 0, -1) if (place := tuple(path[:depth])) in lines), 0)


@lru_cache(maxsize=1)
def _lines(text: str) -> Mapping[tuple[Key, ...], int]:
    """Return the line of each table and entry by its path."""
    lines: dict[tuple[Key, ...], int] = {}
    for line, place in _places(text):
        lines.setdefault(place, line)
    return lines


def _places(text: str) -> Iterator[tuple[int, tuple[Key, ...]]]:
    """Yield the line and the path of each table and entry."""
    counts: dict[tuple[Key, ...], int] = {}
    table: tuple[Key, ...] = ()
    for number, line in enumerate(text.split("\n")):
        if header := _TABLE.match(line):
            table = ()
            for key in _keys(header[2]):
                table = (*table, key)
                if table in counts:
                    table = (*table, counts[table])
            if header[1] == "[[" and table:
                name = table[:-1] if isinstance(table[-1], int) else table
                counts[name] = counts.get(name, -1) + 1
                table = (*name, counts[name])
            yield number, table
        elif entry := _ENTRY.match(line):
            yield number, (*table, *_keys(entry[1]))


def _keys(text: str) -> Iterator[str]:
    return ("".join(found) for found in _KEY.findall(text))


_MISSING = "Missing key `{}`."
_CODE = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
_KINDS = {
    "str": "a string",
    "array": "an array",
    "object": "a table",
    "bool": "`true` or `false`",
    "int": "a whole number",
}
PROJECT_FILE = "heatstudio.toml"
_SEVERITIES: Mapping[str, Severity | None] = {**{one.word: one for one in Severity}, "off": None}
_SYNTAX_PLACE = re.compile(r" \(at line (\d+), column \d+\)$")


class _TemplateSettings(Struct, frozen=True, forbid_unknown_fields=True):
    files: tuple[str, ...]
    environments: tuple[str, ...] = ()
    parameters: dict[str, object] = {}


class _Ignore(Struct, frozen=True, forbid_unknown_fields=True):
    files: tuple[str, ...]
    codes: tuple[str, ...]
    reason: Annotated[str, Meta(min_length=1)]


class _DeclaredProperty(Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["string", "integer", "number", "boolean", "map", "list", "any"] = "any"
    required: bool = False
    update: Literal["in-place", "replaced"] = "replaced"

    @property
    def facts(self) -> Facts:
        """The property in the form of Heat's REST API."""
        updates = self.update == "in-place"
        return {"type": self.type.capitalize(), "required": self.required, "update_allowed": updates}


class _DeclaredType(Struct, frozen=True, forbid_unknown_fields=True):
    file: str = ""
    properties: dict[str, _DeclaredProperty] = {}
    attributes: tuple[str, ...] = ()


class _YaqlLimits(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    limit_iterators: Annotated[int, Meta(ge=1, le=100_000)] = HEAT_LIMITS.iterators
    memory_quota: Annotated[int, Meta(ge=1, le=10_000_000)] = HEAT_LIMITS.memory


class _ProjectContent(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    release: str = ""
    client_versions: dict[str, str] = {}
    templates: tuple[_TemplateSettings, ...] = ()
    ignore: tuple[_Ignore, ...] = ()
    severity: dict[str, str] = {}
    types: dict[str, dict[str, object]] = {}
    yaql: _YaqlLimits = _YaqlLimits()
    rules: tuple[Rule, ...] = ()


_ITEMS: Mapping[str, type[Struct]] = {"templates": _TemplateSettings, "ignore": _Ignore, "rules": Rule}
"""The lists of tables, by key."""
_MAPS: Mapping[str, type] = {"client-versions": str, "severity": str, "types": dict}
"""The tables whose keys are free, with the type of their values."""


class ProjectProblem(NamedTuple):
    """A problem of a project file, with its zero-based line."""

    line: int
    message: str
    is_harmless: bool = False
    """Whether the other settings are complete without the wrong entry: an unknown key."""


class ProjectFile(Struct, frozen=True, eq=False):
    """The valid settings of a project file."""

    folder: Path
    content: _ProjectContent = _ProjectContent()
    types: Facts = {}
    """The declared plug-in types in the form of Heat's REST API."""
    problems: tuple[ProjectProblem, ...] = ()
    read: tuple[Path, ...] = ()
    """The files that the settings were read from."""

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.folder / PROJECT_FILE

    @property
    def errors(self) -> tuple[str, ...]:
        """The problems with their places, without unknown keys, which change no result."""
        return tuple(f"{self.path}:{one.line + 1}: {one.message}" for one in self.problems if not one.is_harmless)

    def applied(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot with the settings of this file; the snapshot's own settings take precedence."""
        own = [one for one in self.content.templates if self._is_meant(snapshot.path, one.files)]
        environments = tuple(path for one in own for name in one.environments if (path := inside(self.folder, name)))
        values = {name: value for one in own for name, value in one.parameters.items()}
        target = snapshot.target
        versions = {**self.content.client_versions, **target.client_versions}
        return snapshot._replace(
            environments=snapshot.environments or (environments if snapshot.uses_project else ()),
            parameter_values={**values, **snapshot.parameter_values},
            target=target._replace(release=target.release or self.content.release, client_versions=versions),
            root=snapshot.root or self.folder,
        )

    def ignored(self, path: Path | None) -> frozenset[str]:
        """Return the codes and families of the problems to ignore in a file."""
        return frozenset(code for one in self.content.ignore if self._is_meant(path, one.files) for code in one.codes)

    @property
    def severities(self) -> Mapping[str, Severity | None]:
        """The severities by code or family, as configured in the file; None for `off`."""
        return {code: _SEVERITIES[word] for code, word in self.content.severity.items() if word in _SEVERITIES}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The valid rules."""
        wrong = {place[1] for place, _ in _wrong_rules(self.content.rules)}
        return tuple(one for index, one in enumerate(self.content.rules) if index not in wrong)

    def _is_meant(self, path: Path | None, patterns: Sequence[str]) -> bool:
        file = real_path(path) if path is not None else None
        if file is None or not file.is_relative_to(self.folder):
            return False
        name = file.relative_to(self.folder).as_posix()
        return any(fnmatchcase(name, pattern) for pattern in patterns)


class _Files(dict[Path, ReportedTypes | None]):
    """The files that a project file names, with the types in them; their sizes together are limited."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._left = DATA_LIMIT

    def reported(self, name: str, type_name: str) -> Facts | None:
        """Return a type in a file; None if the file is unreadable or does not describe this type."""
        path = inside(self._folder, name)
        reported = self[path] if path is not None else None
        if reported is None or reported.is_list or type_name not in reported.types:
            return None
        return mapping(reported.types[type_name])

    def __missing__(self, path: Path) -> ReportedTypes | None:
        try:
            text = read_text(path, limit=self._left)
            self._left -= len(text)
            self[path] = imported_types(json.decode(text))
        except (DocumentError, ValueError, RecursionError):
            self[path] = None
        return self[path]


def find_project_file(path: Path, texts: Container[Path] = ()) -> Path | None:
    """Return the nearest project file of a file, on disk or among unsaved texts; None if there is none.

    Only the user and the owner of the file's folder may configure its checks, not everybody who can write to `/tmp`.
    """
    folders = real_path(path).parents
    owners = {getattr(os, "getuid", lambda: 0)(), *map(_owner, folders[:1])} - {None}
    files = (folder / PROJECT_FILE for folder in folders)
    return next((file for file in files if file in texts or _owner(file) in owners), None)


def _owner(path: Path) -> int | None:
    """Return the owner of a file; None if the file is missing or unreachable."""
    try:
        return path.stat().st_uid
    except (OSError, ValueError):
        return None


def inside(folder: Path, name: str) -> Path | None:
    """Return the path of a file that a project file names; None if the file is missing or outside the folder."""
    path = real_path(folder / name)
    return path if path.is_relative_to(folder) and is_file(path) else None


def read_project_file(path: Path, text: str, knowledge: Knowledge) -> ProjectFile:
    """Read a project file strictly, and report its errors."""
    folder = real_path(path).parent
    if len(text) > _MOST_CHARACTERS:
        return unusable(path, f"The file has more than {_MOST_CHARACTERS // 1024} KB.")
    if long_key := _LONG_KEY.search(text):
        return unusable(path, "A key has more than 32 parts.", text.count("\n", 0, long_key.start()))
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        return ProjectFile(folder, problems=(_of_syntax(text, str(error)),), read=(path,))
    converter = _Converter(text)
    content = converter.content(data)
    names = [one.files for one in content.ignore] + [one.files + one.environments for one in content.templates]
    if sum(map(len, names)) > _MOST_NAMES:
        return unusable(path, f"The file has more than {_MOST_NAMES:,} patterns and environments.")
    files = _Files(folder)
    types = _types(files, content, converter)
    wrong = (*_unknown(content, knowledge), *_missing(folder, content), *_wrong_rules(content.rules))
    problems = (*converter.problems, *(ProjectProblem(line_of(text, place), message) for place, message in wrong))
    return ProjectFile(folder, content, types, tuple(sorted(problems)), (path, *files))


def unusable(path: Path, message: str, line: int = 0) -> ProjectFile:
    """Return a project file without settings, and why it is not used."""
    return ProjectFile(real_path(path).parent, problems=(ProjectProblem(line, message),), read=(path,))


def _of_syntax(text: str, message: str) -> ProjectProblem:
    found = _SYNTAX_PLACE.search(message)
    line = int(found[1]) - 1 if found else text.count("\n")
    return ProjectProblem(line, f"Invalid TOML: {_SYNTAX_PLACE.sub('', message)}.")


class _Converter:
    """A conversion of data to settings that leaves out each invalid entry and records its problem."""

    def __init__(self, text: str) -> None:
        self.problems: list[ProjectProblem] = []
        self._text = text

    def report(self, place: tuple[Key, ...], message: str, *, is_harmless: bool = False) -> None:
        """Record a problem at the deepest entry on a path."""
        self.problems.append(ProjectProblem(line_of(self._text, place), message, is_harmless))

    def content(self, data: Mapping[str, object]) -> _ProjectContent:
        """Return the valid settings of a project file."""
        known = dict(data)
        for key, value in data.items():
            if key in _ITEMS and isinstance(value, list):
                items = (self.valid(item, _ITEMS[key], (key, number)) for number, item in enumerate(value))
                known[key] = [item for item in items if item is not None]
            elif key in _MAPS and isinstance(value, dict):
                entries = ((entry, self.valid(one, _MAPS[key], (key, entry))) for entry, one in value.items())
                known[key] = {entry: one for entry, one in entries if one is not None}
        return convert(self.valid(known, _ProjectContent, ()) or {}, _ProjectContent)

    def valid(self, value: object, kind: type, place: tuple[Key, ...]) -> object:
        """Return a value of a kind, without invalid entries of a table; None if the value is invalid as a whole."""
        removed = set()
        while True:
            try:
                convert(value, kind)
            except ValidationError as error:
                message, path = in_plain_words(str(error), place)
                if message not in removed:
                    self.report((*place, *path), message, is_harmless="unknown field" in str(error))
                if not isinstance(value, dict) or not path or path[0] not in value:
                    return None
                removed.add(_MISSING.format(path[0]))
                value = {key: one for key, one in value.items() if key != path[0]}
            else:
                return value


def in_plain_words(message: str, place: tuple[Key, ...]) -> tuple[str, tuple[Key, ...]]:
    """Return a message of msgspec in the words of the file, and the path below a place that the message contains."""
    words, _, where = message.partition(" - at `$")
    path: list[Key] = []
    for name, index, unknown in _STEP.findall(where):
        if unknown:
            break
        path.append(int(index) if index else name)
    if found := re.search(r"unknown field `([^`]*)`", words):
        return f"Unknown key `{found[1]}`.", (*path, found[1])
    if found := re.search(r"required field `([^`]*)`", words):
        return _MISSING.format(found[1]), tuple(path)
    what = next((f"`{key}`" for key in (*path[::-1], *place[::-1]) if isinstance(key, str)), "The file")
    if path and isinstance(path[-1], int):
        what = f"Each item of {what}"
    if found := re.match(r"Expected `(\w+)`( of length)?(?: ([<>])= (\d+))?", words):
        limit = f", {'at least' if found[3] == '>' else 'at most'} {found[4]}" if found[3] else ""
        return f"{what} must {'not be empty' if found[2] else f'be {_KINDS[found[1]]}{limit}'}.", tuple(path)
    return f"{what}: {words[:1].lower()}{words[1:]}.", tuple(path)


def _types(files: _Files, content: _ProjectContent, converter: _Converter) -> Facts:
    """Return the valid declared types."""
    types: dict[str, object] = {}
    for name, raw in content.types.items():
        place = ("types", name)
        known, properties = raw, raw.get("properties")
        if isinstance(properties, dict):
            inside = (*place, "properties")
            valid = {key: converter.valid(one, _DeclaredProperty, (*inside, key)) for key, one in properties.items()}
            known = {**raw, "properties": {key: one for key, one in valid.items() if one is not None}}
        declared = convert(converter.valid(known, _DeclaredType, place) or {}, _DeclaredType)
        types[name] = {
            "properties": {key: one.facts for key, one in declared.properties.items()},
            "attributes": {key: {} for key in declared.attributes},
        }
        if declared.file:
            reported = files.reported(declared.file, name)
            types[name] = reported or {}
            if reported is None:
                words = f"`{declared.file}` must come from `openstack orchestration resource type show {name} -f json`."
                converter.report((*place, "file"), words)
    return types


def _unknown(content: _ProjectContent, knowledge: Knowledge) -> Iterator[tuple[tuple[Key, ...], str]]:
    """Yield the path and the message of each unknown release, client plug-in, API version, severity and code."""
    if content.release and find_release(knowledge.releases, content.release) is None:
        yield ("release",), f"Unknown release `{content.release}`; use a name such as `{knowledge.releases[-1].name}`."
    plugins = knowledge.group_library.client_plugins()
    for name, version in content.client_versions.items():
        if name not in plugins:
            yield (("client-versions", name), f"Unknown client plug-in `{name}`; use {' or '.join(sorted(plugins))}.")
        elif read_api_version(version) is None:
            yield ("client-versions", name), f"`{version}` is not an API version; write one such as `2.79`."
    for code, word in content.severity.items():
        if word not in _SEVERITIES:
            yield ("severity", code), f"Unknown severity `{word}`; use one of {', '.join(_SEVERITIES)}."
    named = [(("ignore", index, "codes"), code) for index, one in enumerate(content.ignore) for code in one.codes]
    own = {one.code for one in content.rules}
    for place, code in (*named, *((("severity", code), code) for code in content.severity)):
        if code not in pages() and code not in FAMILIES and code not in own:
            yield place, f"Unknown code `{code}`."


def _wrong_rules(rules: Sequence[Rule]) -> Iterator[tuple[tuple[Key, ...], str]]:
    for index, one in enumerate(rules):
        if not _CODE.fullmatch(one.code):
            yield ("rules", index, "code"), f"`{one.code}` must be lowercase words with hyphens, such as `team-names`."
        if one.code in pages() or one.code in FAMILIES:
            yield ("rules", index, "code"), f"`{one.code}` is a code of Heat Studio; use another."
        if fault := expression_fault(one.condition):
            yield ("rules", index, "condition"), f"`condition` is not a YAQL expression: {fault}."


def _missing(folder: Path, content: _ProjectContent) -> Iterator[tuple[tuple[Key, ...], str]]:
    for index, one in enumerate(content.templates):
        for name in one.environments:
            if inside(folder, name) is None:
                yield ("templates", index, "environments"), f"`{name}` not found in the folder of the project file."


CODE = "project-file"


class Projects:
    """A cache of project files, which are found in parent folders and read again after they or their files change."""

    def __init__(self) -> None:
        self._files: dict[Path, tuple[dict[Path, FileMark], ProjectFile]] = {}
        self._knowledge: dict[Path, tuple[Knowledge, ProjectFile, Knowledge]] = {}

    def of(self, snapshot: Snapshot, knowledge: Knowledge) -> ProjectFile | None:
        """Return the project file of a snapshot, without settings if it is unreadable; None if it is missing."""
        if snapshot.path is None:
            return None
        texts = snapshot.open_texts
        path = find_project_file(snapshot.path, texts)
        if path is None:
            return None
        known = self._files.get(path)
        if known is None or not CurrentMarks(texts).match(known[0]):
            try:
                project = read_project_file(path, texts[path] if path in texts else read_text(path), knowledge)
            except DocumentError as error:
                project = unusable(path, error.message.replace(str(path), "The file"))
            known = self._files[path] = {file: mark_of(file, texts) for file in project.read}, project
        return known[1]

    def knowledge(self, project: ProjectFile | None, knowledge: Knowledge) -> Knowledge:
        """Return the knowledge with the types and limits of a project; the same object while both are unchanged."""
        if project is None or not (project.types or project.content.yaql != _YaqlLimits()):
            return knowledge
        known = self._knowledge.get(project.folder)
        if known is None or known[0] is not knowledge or known[1] is not project:
            more = knowledge.with_types(CloudCatalog(PROJECT_FILE, types=project.types)) if project.types else knowledge
            limits = project.content.yaql
            more = more.with_yaql_limits(YaqlLimits(limits.limit_iterators, limits.memory_quota))
            known = self._knowledge[project.folder] = knowledge, project, more
        return known[2]


def analyze_project_file(path: Path, text: str, knowledge: Knowledge) -> Analysis:
    """Return the analysis of a project file itself, with an empty stack."""
    lines = LineIndex(text)
    found = tuple(
        Diagnostic(None, CODE, Severity.ERROR, problem.message, lines.line_span(min(problem.line, len(lines) - 1)))
        for problem in read_project_file(real_path(path), text, knowledge).problems[:MOST_ERRORS]
    )
    return not_analyzed(Source(parse_template(text)), knowledge, found)
