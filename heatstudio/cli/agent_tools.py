"""The tools of the server for coding agents, which answer with the JSON of the subcommands and write no file."""

import json
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from heatstudio import __version__
from heatstudio.analysis.pages import pages
from heatstudio.catalog.release import find_release
from heatstudio.cli.check_formats import as_json, edit_record
from heatstudio.cli.report import plain
from heatstudio.cli.types import type_record
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target, is_large
from heatstudio.service.pool.file_report import Ranges, report_of
from heatstudio.service.resolved_values import resolved
from heatstudio.service.safe_fixes import safe_fixes
from heatstudio.service.workspace.job import StoppedError
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.load import read_written
from heatstudio.template.formatting import format_text
from heatstudio.text import DocumentError, cancellation_scope, real_path
from heatstudio.update.plan.plan_text import plan_data

LONGEST = 30.0
"""Seconds after which a tool gives up."""
LARGEST = 500_000
"""The maximum number of characters of an answer."""
_MOST_PROBLEMS = 200
_INSTRUCTIONS = """\
Heat Studio knows OpenStack Heat (HOT and CloudFormation-style templates) as the Heat engine does, without a cloud.
After each edit of a template, call `check`, and apply what `fix` returns. Before the update of a stack, call `preview`
with its current template, and read which resources are replaced or deleted. No tool writes a file or asks a cloud.
"""


class TemplateInput(BaseModel):
    """A template or environment, and what it is analyzed with."""

    path: str = Field(description="The file, relative to the server's folder; it may be missing if `text` is given.")
    text: str | None = Field(
        default=None, description="The content to use instead of the file's, such as an unsaved edit."
    )
    environments: tuple[str, ...] = Field(default=(), description="Environment files; later files take precedence.")
    parameters: dict[str, object] = Field(default={}, description="Parameter values, which override the environments'.")
    release: str = Field(
        default="", description="The OpenStack release of the cloud, such as `caracal`; default: the newest."
    )


def make_server(root: Path) -> MCPServer[object]:
    """Return the server with its tools, which reads only files in a folder."""
    tools = AgentTools(root)
    server = MCPServer[object]("heatstudio", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR")
    for tool in (tools.check, tools.fix, tools.format, tools.preview, tools.resolve, tools.types, tools.explain):
        is_read_only = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        server.add_tool(tool, annotations=is_read_only, structured_output=False)
    return server


_Asked = ParamSpec("_Asked")


def _tool(find: Callable[_Asked, object]) -> Callable[_Asked, str]:
    """Return the tool that answers with what a function finds, as JSON, within a limited time and size."""

    @wraps(find)
    def answer(*asked: _Asked.args, **options: _Asked.kwargs) -> str:
        end = time.monotonic() + LONGEST

        def check_time() -> None:
            if time.monotonic() > end:
                raise StoppedError

        try:
            with cancellation_scope(check_time):
                found = json.dumps(plain(find(*asked, **options)))
        except DocumentError as error:
            raise ToolError(error.message) from error
        except StoppedError as error:
            raise ToolError(f"The answer would take more than {LONGEST:.0f} seconds.") from error
        if len(found) > LARGEST:
            raise ToolError(f"The answer has {len(found):,} characters, more than {LARGEST:,}.")
        return found

    return answer


class AgentTools:
    """The tools; a method's docstring and the descriptions of its parameters are what an agent reads.

    All methods raise ToolError, whose message an agent reads too.
    """

    def __init__(self, root: Path) -> None:
        self._root = real_path(root)
        self._knowledge = load_knowledge()

    @_tool
    def check(self, template: TemplateInput) -> object:
        """Report what Heat would reject in a template or environment, and what is deprecated or suspicious.

        Each problem has a code, a range (lines and characters count from 0) and fixes with edits of the file.
        """
        engine, snapshot = self._opened(template)
        report = report_of(Path(template.path), engine.analyze(snapshot, None), with_fixes=True)
        problems = tuple(report.reported)
        found = as_json([report._replace(problems=problems[:_MOST_PROBLEMS])])
        return found | {"more_problems": max(len(problems) - _MOST_PROBLEMS, 0)}

    @_tool
    def fix(self, template: TemplateInput) -> object:
        """Return the edits of all safe fixes, such as replacements of deprecated properties by Heat's own rules.

        Safe fixes change no resource of a running stack. The edits refer to the unchanged file and do not overlap;
        apply them from the last to the first. Problems that need a decision are left to `check`.
        """
        engine, snapshot = self._opened(template)
        found = safe_fixes(engine, snapshot, engine.analyze(snapshot, None))
        edits = [edit_record(edit) for edit in Ranges(snapshot.text).of_edits(found.edits)]
        done = [{"line": line, "change": sentence} for line, sentence in found.done]
        return {"edits": edits, "done": done, "not_fixed": found.refusals}

    @_tool
    def format(self, template: TemplateInput) -> object:
        """Return the edits that normalize indentation and blanks; the data and the comments stay as they are."""
        _engine, snapshot = self._opened(template)
        found = format_text(snapshot.text)
        if found.refusal:
            raise ToolError(found.refusal)
        return {"edits": [edit_record(edit) for edit in Ranges(snapshot.text).of_edits(found.edits)]}

    @_tool
    def preview(self, old: TemplateInput, new: TemplateInput) -> object:
        """Predict a stack update from one template to another, resource by resource, with the cause of each outcome.

        Outcomes: unchanged, updated (in place), replaced, not_supported, added, deleted; uncertain ones are marked.
        """
        engine, snapshot = self._opened(new)
        plan = engine.plan_update(self._snapshot(old), engine.analyze(snapshot, None))
        if plan.unread:
            raise ToolError(f"{(old if plan.unread == 'old' else new).path} is not a valid template; call `check`.")
        return plan_data(plan)

    @_tool
    def resolve(self, template: TemplateInput) -> object:
        """Compute conditions, resource properties and outputs as Heat does; what only a cloud knows is `unknown`."""
        engine, snapshot = self._opened(template)
        source = engine.source_of(snapshot)
        if not source.template.complete:
            raise ToolError(f"{template.path} is not a valid template; call `check`.")
        return resolved(source, engine.knowledge_of(snapshot), {})

    @_tool
    def types(
        self,
        name: Annotated[str, Field(description="A resource type, or a part of names; empty for all names.")] = "",
        release: Annotated[str, Field(description="The OpenStack release of the cloud; default: the newest.")] = "",
    ) -> object:
        """Show a resource type: properties, constraints, attributes, life cycle, what an update of each property does.

        Without a type of this name, return the names that contain the text.
        """
        engine, snapshot = self._opened(TemplateInput(path="", text="", release=release))
        catalog = engine.knowledge_of(snapshot).catalog
        found = catalog.get(name) if name in catalog.visible_names else None
        if found is not None:
            return type_record(found)
        return [one for one in catalog.visible_names if name.lower() in one.lower()]

    def explain(self, code: Annotated[str, Field(description="The code of a problem, such as `unknown-type`.")]) -> str:
        """Explain a problem's code in Markdown: why Heat behaves so, an example, and the ways out."""
        if code not in pages():
            raise ToolError(f"Unknown code {code}; known codes: {', '.join(sorted(pages()))}")
        return pages()[code]

    def _opened(self, template: TemplateInput) -> tuple[Engine, Snapshot]:
        """Return an engine, and the snapshot of a template; raise ToolError, DocumentError."""
        engine = Engine(self._knowledge)
        return engine, engine.readable(self._snapshot(template))

    def _snapshot(self, template: TemplateInput) -> Snapshot:
        """Return the snapshot of a template; raise ToolError for an input outside the folder, DocumentError."""
        path = self._inside(template.path)
        text = read_written(path) if template.text is None else template.text
        if is_large(text):
            raise ToolError(f"The text has {len(text):,} characters, too much for Heat.")
        if template.release and find_release(self._knowledge.releases, template.release) is None:
            known = ", ".join(one.name for one in self._knowledge.releases)
            raise ToolError(f"Unknown release {template.release}; known releases: {known}")
        environments = tuple(map(self._inside, template.environments))
        target = Target(template.release)
        return Snapshot(text, path, environments, self._root, parameter_values=template.parameters, target=target)

    def _inside(self, name: str) -> Path:
        path = self._root / name
        if not real_path(path).is_relative_to(self._root):
            raise ToolError(f"{name} is outside the folder of the server.")
        return path
