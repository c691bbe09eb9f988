"""Every feature of the language server, through the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol.types import Position, PositionEncodingKind, Range

from heatstudio.lsp.open_document import ProtocolPositions
from heatstudio.text import Span
from heatstudio.text.invisible import invisible, visible
from tests.cli.test_sinks import NAME, template
from tests.lsp.client import Client, Message, RequestError

TEXT = """\
heat_template_version: 2021-04-16
parameters:
  title: {type: string, default: web}
  secret: {type: string, default: sesame, hidden: true}
resources:
  server:
    type: OS::Nova::Server
    properties:
      name: {get_param: title}
      image: {get_param: secret}
      flavour: m1
  port:
    type: OS::Neutron::Port
    properties:
      network: net
outputs:
  address: {value: {get_attr: [server, first_address]}}
"""
NESTED = """\
heat_template_version: 2021-04-16
parameters:
  size: {type: number}
resources:
  none: {type: 'OS::Heat::Value', properties: {value: {get_param: size}}}
"""
NESTING = """\
heat_template_version: 2021-04-16
resources:
  inner: {type: nested.yaml, properties: {size: 1}}
"""


def place(text: str, word: str) -> Message:
    """Return the position after the first letter of a word's first occurrence."""
    before = text[: text.index(word) + 1]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def marked(text: str, found: Message) -> str:
    """Return the text in a range of code points."""
    positions = ProtocolPositions(text, PositionEncodingKind.Utf32)
    start, end = positions.span(ranges(found))
    return text[start:end]


def ranges(found: Message) -> Range:
    return Range(Position(**found["start"]), Position(**found["end"]))


def applied(client: Client, name: str, text: str, edit: Message) -> str:
    """Return a text after applying the edits that a workspace edit has for it."""
    positions = ProtocolPositions(text, PositionEncodingKind.Utf32)
    edits = [
        (positions.span(ranges(one["range"])), one["newText"])
        for change in edit["documentChanges"]
        if change.get("textDocument", {}).get("uri") == client.uri(name)
        for one in change["edits"]
    ]
    for span, new in sorted(edits, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text


def opened(client: Client, text: str = TEXT, name: str = "a.yaml") -> list[Message]:
    client.open(name, text)
    return client.diagnostics(name)


def test_server_announces_its_encoding_and_registers_file_watchers(only_client: Client) -> None:
    assert only_client.initialized["capabilities"]["positionEncoding"] == "utf-32"
    only_client.request("workspace/symbol", {"query": "x"})
    assert [one["method"] for one in only_client.requests][:1] == ["client/registerCapability"]


def test_problems_are_published_with_severity_code_and_message(client: Client) -> None:
    found = {one["code"]: one for one in opened(client)}
    unknown = found["unknown-property"]
    assert marked(TEXT, unknown["range"]) == "flavour"
    assert unknown["severity"] == 1
    assert unknown["message"] == "Unknown property `flavour`. Did you mean `flavor`?"
    assert unknown["codeDescription"]["href"].endswith("/pages/unknown-property.md")
    assert "tags" not in unknown


def test_deprecated_and_unused_entries_are_tagged(client: Client) -> None:
    text = TEXT.replace("network: net", "network_id: net  # heatstudio: ignore[unknown-type]")
    tags = {one.get("code"): one["tags"] for one in opened(client, text) if "tags" in one}
    assert tags == {"property-support": [2], "unused-ignore": [1], "unused-resource": [1], "attribute-support": [2]}


def test_disabled_entries_are_faded(client: Client) -> None:
    text = NESTED.replace("resources:", "conditions: {never: false}\nresources:").replace(
        "{type: 'OS::Heat::Value',", "{type: 'OS::Heat::Value', condition: never,"
    )
    faded = [one for one in opened(client, text) if one.get("tags") == [1] and one["severity"] == 4]
    assert [marked(text, one["range"])[:5] for one in faded] == ["none:"]


def test_problems_have_related_locations(client: Client) -> None:
    text = NESTED.replace("  none:", "  size: {type: 'OS::Heat::None'}\n  none:")
    related = [info for one in opened(client, text) for info in one.get("relatedInformation", ())]
    assert client.uri("a.yaml") in {one["location"]["uri"] for one in related}


def test_other_yaml_files_have_no_problems(client: Client) -> None:
    assert opened(client, "services:\n  web: {image: nginx, ports: [80:80]}\n") == []
    assert client.ask("completion", "a.yaml", position={"line": 1, "character": 2}) is None


def test_pulled_problems_equal_the_published_ones(client: Client) -> None:
    assert client.ask("diagnostic", "a.yaml")["items"] == [], "nothing is known of a file that is not open"
    published = opened(client)
    report = client.ask("diagnostic", "a.yaml")
    assert (report["kind"], report["items"]) == ("full", published)


def test_problems_are_updated_after_an_unsaved_change_of_a_nested_template(client: Client, folder: Path) -> None:
    (folder / "nested.yaml").write_text(NESTED)
    assert opened(client, NESTING, "outer.yaml") == []
    client.open("nested.yaml", NESTED)
    client.change("nested.yaml", {"text": NESTED.replace("size", "width")})
    found = client.diagnostics("outer.yaml")
    while not found:
        found = client.diagnostics("outer.yaml")
    assert {one["code"] for one in found} == {"unknown-property", "missing-property"}


def test_problems_are_updated_after_a_file_changes_on_disk(client: Client, folder: Path) -> None:
    nested = folder / "nested.yaml"
    assert [one["code"] for one in opened(client, NESTING, "outer.yaml")] == ["unknown-file"]
    nested.write_text(NESTED)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": nested.as_uri(), "type": 1}]})
    assert client.diagnostics("outer.yaml") == []


def test_project_file_links_environments_and_templates(client: Client, folder: Path) -> None:
    (folder / "heatstudio.toml").write_text('[[templates]]\nfiles = ["a.yaml"]\nenvironments = ["env.yaml"]\n')
    (folder / "env.yaml").write_text("parameters: {size: 7}\n")
    assert opened(client, NESTED) == []
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    assert [one["label"] for one in client.ask("inlayHint", "a.yaml", range=whole)] == ["= 7"]
    environment = "parameters: {size: 7, width: 8}\n"
    assert [one["message"] for one in opened(client, environment, "env.yaml")] == ["Unknown parameter `width`."]
    definition = client.ask("definition", "env.yaml", position=place(environment, "size"))
    assert [(one["uri"], one["range"]["start"]["line"]) for one in definition] == [(client.uri("a.yaml"), 2)]


def test_unusable_project_file_is_reported(client: Client, folder: Path) -> None:
    (folder / "heatstudio.toml").write_text("release = 1\n")
    there = [(one["message"], one["range"]["start"]["line"]) for one in opened(client, NESTED, "own.yaml")]
    assert there == [(f"{folder / 'heatstudio.toml'}:1: `release` must be a string.", 0)]


def actions(client: Client, text: str, word: str, **context: Any) -> list[Message]:
    here = place(text, word)
    found: list[Message] = client.ask(
        "codeAction", "a.yaml", range={"start": here, "end": here}, context={"diagnostics": [], **context}
    )
    return found


def test_preferred_fix_is_marked(client: Client) -> None:
    opened(client)
    found = {one["title"]: one for one in actions(client, TEXT, "flavour", only=["quickfix"])}
    assert list(found) == ["Rename to `flavor`", "Delete `flavour`", "Suppress unknown-property here"]
    assert [one.get("isPreferred") for one in found.values()] == [True, False, None]
    fixed = applied(client, "a.yaml", TEXT, found["Rename to `flavor`"]["edit"])
    assert fixed == TEXT.replace("flavour", "flavor")
    suppressed = applied(client, "a.yaml", TEXT, found["Suppress unknown-property here"]["edit"])
    assert "      # heatstudio: ignore[unknown-property]\n      flavour" in suppressed


def test_fix_all_applies_all_safe_fixes(client: Client) -> None:
    text = TEXT.replace("network: net", "network_id: net  # heatstudio: ignore[unknown-section]")
    opened(client, text)
    action = actions(client, text, "heat", only=["source.fixAll"])[0]
    assert (action["kind"], "edit" in action) == ("source.fixAll.heatstudio", False)
    edit = client.request("codeAction/resolve", action)["edit"]
    assert applied(client, "a.yaml", text, edit) == TEXT
    assert actions(client, text, "heat", only=["refactor"]) == []


def test_a_value_is_extracted_into_a_parameter(client: Client) -> None:
    text = TEXT.replace(
        "network: net", "network: net\n  other:\n    type: OS::Neutron::Port\n    properties: {network: net}"
    )
    opened(client, text)
    found = [
        client.request("codeAction/resolve", one) for one in actions(client, text, "net\n", only=["refactor.extract"])
    ]
    assert [one["title"] for one in found][:2] == [
        "Extract parameter `network`",
        "Extract parameter `network` (2 places)",
    ]
    one, both = (applied(client, "a.yaml", text, action["edit"]) for action in found[:2])
    assert (one.count("{get_param: network}"), both.count("{get_param: network}")) == (1, 2)


def test_a_refactoring_names_its_effect_or_the_reason_of_its_refusal(client: Client) -> None:
    text = TEXT.replace("flavour: m1\n", "flavor: m1\n      networks: [{port: {get_resource: port}}]\n")
    opened(client, text)
    offered = {one["title"]: one for one in actions(client, text, "network: net", only=["refactor.rewrite"])}
    assert all("edit" not in one for one in offered.values())
    edit = client.request("codeAction/resolve", offered["Wrap `port` in a ResourceGroup"])["edit"]
    (annotation,) = edit["changeAnnotations"].values()
    assert (
        annotation["description"]
        == "A stack update: `port` deleted, `server` may be updated in place, `port_group` added."
    )
    assert annotation["needsConfirmation"]
    after = applied(client, "a.yaml", text, edit)
    assert "{get_attr: [port_group, resource.0]}" in after
    with pytest.raises(RequestError, match="required"):
        client.request("codeAction/resolve", offered["Make property `network` conditional"])


def test_extraction_creates_a_file_and_inlining_reads_it(client: Client, folder: Path) -> None:
    opened(client, TEXT)
    kinds = ["refactor.extract"]
    offered = {one["title"]: one for one in actions(client, TEXT, "port:", only=kinds)}
    edit = client.request("codeAction/resolve", offered["Extract `port` to a nested template"])["edit"]
    assert edit["documentChanges"][0] == {
        "kind": "create",
        "uri": client.uri("port.yaml"),
        "options": {"ignoreIfExists": False},
    }
    (folder / "port.yaml").write_text(applied(client, "port.yaml", "", edit))
    outer = applied(client, "a.yaml", TEXT, edit)
    opened(client, outer)
    offered = {one["title"]: one for one in actions(client, outer, "port_stack:", only=["refactor.inline"])}
    edit = client.request("codeAction/resolve", offered["Inline `port.yaml`"])["edit"]
    assert applied(client, "a.yaml", outer, edit) == TEXT


def test_names_of_files_are_links_to_files_that_exist(client: Client, folder: Path) -> None:
    (folder / "nested.yaml").write_text(NESTED)
    (folder / "script.sh").write_text("true\n")
    text = NESTING + "".join(
        f"  {name}: {{type: OS::Heat::Value, properties: {{value: {{get_file: {name}.sh}}}}}}\n"
        for name in ("script", "missing")
    )
    opened(client, text, "outer.yaml")
    found = client.ask("documentLink", "outer.yaml")
    assert [(marked(text, one["range"]), one["target"]) for one in found] == [
        ("nested.yaml", client.uri("nested.yaml")),
        ("script.sh", client.uri("script.sh")),
    ]


def test_other_file_has_an_empty_report(client: Client) -> None:
    client.open("other.yaml", "services: {}\n")
    assert client.ask("diagnostic", "other.yaml") == {"kind": "full", "items": []}


def test_completion_inserts_snippets_and_resolves_documentation(client: Client) -> None:
    text = TEXT.replace("flavour: m1", "sec")
    opened(client, text)
    items = client.ask("completion", "a.yaml", position={**place(text, "sec\n"), "character": 9})["items"]
    found = next(one for one in items if one["label"] == "security_groups")
    assert marked(text, found["textEdit"]["range"]) == "sec"
    assert found["insertTextFormat"] == 2
    assert "documentation" not in found
    documentation = client.request("completionItem/resolve", found)["documentation"]
    assert documentation["kind"] == "markdown"
    assert documentation["value"].startswith("**security_groups · List**\n\n")


def test_hover_is_markdown_and_masks_hidden_values(client: Client) -> None:
    opened(client)
    hover = client.ask("hover", "a.yaml", position=place(TEXT, "secret}"))
    assert hover["contents"] == {
        "kind": "markdown",
        "value": "**secret · string · hidden**\n\nValue `••••••`, from its default.",
    }
    assert marked(TEXT, hover["range"]) == "secret"


def test_definitions_references_and_highlights(client: Client) -> None:
    opened(client)
    here = place(TEXT, "title}")
    definition = client.ask("definition", "a.yaml", position=here)
    assert [one["range"]["start"] for one in definition] == [{"line": 2, "character": 2}]
    context = {"includeDeclaration": False}
    uses = client.ask("references", "a.yaml", position=here, context=context)
    assert [marked(TEXT, one["range"]) for one in uses] == ["title"]
    assert [one["kind"] for one in client.ask("documentHighlight", "a.yaml", position=here)] == [3, 2]


def test_names_are_found_in_nested_and_parent_templates(client: Client, folder: Path) -> None:
    (folder / "nested.yaml").write_text(NESTED)
    (folder / "outer.yaml").write_text(NESTING)
    opened(client, NESTING, "outer.yaml")
    definition = client.ask("definition", "outer.yaml", position=place(NESTING, "size"))
    assert [(one["uri"], one["range"]["start"]["line"]) for one in definition] == [(client.uri("nested.yaml"), 2)]
    opened(client, NESTED, "nested.yaml")
    here = place(NESTED, "size: {")
    found = client.ask("references", "nested.yaml", position=here, context={"includeDeclaration": True})
    assert [one["uri"] for one in found] == [client.uri("nested.yaml")] * 2 + [client.uri("outer.yaml")]
    edit = client.ask("rename", "nested.yaml", position=here, newName="width")
    assert applied(client, "outer.yaml", NESTING, edit) == NESTING.replace("size", "width")
    assert applied(client, "nested.yaml", NESTED, edit) == NESTED.replace("size", "width")


def test_rename_reaches_environments_of_the_project_file(client: Client, folder: Path) -> None:
    (folder / "nested.yaml").write_text(NESTED)
    (folder / "outer.yaml").write_text(outer := NESTING.replace("{size: 1}", "{}"))
    (folder / "env.yaml").write_text(environment := "parameter_defaults: {size: 1}\n")
    (folder / "heatstudio.toml").write_text('[[templates]]\nfiles = ["outer.yaml"]\nenvironments = ["env.yaml"]\n')
    opened(client, NESTED, "nested.yaml")
    edit = client.ask("rename", "nested.yaml", position=place(NESTED, "size: {"), newName="width")
    assert applied(client, "env.yaml", environment, edit) == environment.replace("size", "width")
    opened(client, outer, "outer.yaml")
    client.ask("rename", "outer.yaml", position=place(outer, "inner"), newName="other")
    client.wait_for(lambda message: message.get("method") == "window/showMessage" and "deletes" in str(message))


def test_rejected_rename_has_a_reason(client: Client) -> None:
    opened(client)
    assert client.ask("prepareRename", "a.yaml", position=place(TEXT, "flavour")) is None
    assert client.ask("prepareRename", "a.yaml", position=place(TEXT, "title"))["placeholder"] == "title"
    with pytest.raises(RequestError, match="already exists") as error:
        client.ask("rename", "a.yaml", position=place(TEXT, "title"), newName="secret")
    assert error.value.code == -32803


def test_symbols_of_a_document_and_of_the_folder(client: Client, folder: Path) -> None:
    (folder / "nested.yaml").write_text(NESTED)
    (folder / "other.yaml").write_text("services: {size: 1}\n")
    opened(client)
    outline = client.ask("documentSymbol", "a.yaml")
    assert [one["name"] for one in outline] == ["heat_template_version", "parameters", "resources", "outputs"]
    assert [one["name"] for one in outline[2]["children"]] == ["server", "port"]
    found = client.request("workspace/symbol", {"query": "S"})
    assert {(one["name"], one["location"]["uri"]) for one in found} == {
        ("secret", client.uri("a.yaml")),
        ("server", client.uri("a.yaml")),
        ("address", client.uri("a.yaml")),
        ("size", client.uri("nested.yaml")),
    }


def test_folding_and_selection_ranges(client: Client) -> None:
    opened(client)
    folds = client.ask("foldingRange", "a.yaml")
    assert {"startLine": 5, "endLine": 10} in folds
    assert {"startLine": 4, "endLine": 14} in folds
    selection = client.ask("selectionRange", "a.yaml", positions=[place(TEXT, "title}")])[0]
    grown = []
    while selection is not None:
        grown.append(marked(TEXT, selection["range"]))
        selection = selection.get("parent")
    assert grown[:4] == ["title", "get_param: title", "{get_param: title}", "name: {get_param: title}"]
    assert grown[-1] == TEXT


def test_semantic_tokens_of_references(client: Client) -> None:
    opened(client)
    legend = client.initialized["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = client.ask("semanticTokens/full", "a.yaml")["data"]
    found, line, character = [], 0, 0
    for down, right, length, kind, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, character = line + down, right + (character if not down else 0)
        word = TEXT.split("\n")[line][character : character + length]
        found.append((word, legend[kind], modifiers))
    assert ("title", "parameter", 1) in found
    assert ("title", "parameter", 0) in found
    assert ("OS::Nova::Server", "type", 0) in found
    assert ("server", "variable", 0) in found
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    assert client.ask("semanticTokens/range", "a.yaml", range=whole)["data"] == data


def test_inlay_hints_show_values_of_references(client: Client) -> None:
    opened(client)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = client.ask("inlayHint", "a.yaml", range=whole)
    assert [(one["label"], one["position"]["line"]) for one in hints] == [("= web", 8), ("= ••••••", 9)]


def test_code_lens_shows_the_outcome_and_opens_the_preview(client: Client, folder: Path) -> None:
    old = NESTED.replace("{type: number}", "{type: number, default: 1}")
    (folder / "a.yaml").write_text(old)
    new = old.replace("default: 1", "default: 2")
    opened(client, new)
    titles = "|".join(one["command"]["title"] for one in client.ask("codeLens", "a.yaml"))
    section, resource = "Preview the update · 1 updated in place · compared with the saved file", "value: 1 → 2"
    assert titles == f"{section}|~ updated in place · {resource}"
    command = {"command": "heatstudio.previewUpdate", "arguments": [client.uri("a.yaml")]}
    report = client.request("workspace/executeCommand", command)
    assert report.startswith("# Update preview compared with the saved file\n")
    shown = [one["params"]["uri"] for one in client.requests if one["method"] == "window/showDocument"]
    assert shown[-1].endswith("/Update%20preview%20of%20a.md")


def test_document_and_range_are_formatted(client: Client) -> None:
    text = "heat_template_version: 2021-04-16\r\nresources:\r\n  \U0001f525:   {type: x}   \r\n  b:   {type: y}\r\n"
    opened(client, text)
    options = {"tabSize": 2, "insertSpaces": True}
    lines = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 1}}
    (edit,) = client.ask("rangeFormatting", "a.yaml", range=lines, options=options)
    assert (marked(text, edit["range"]), edit["newText"]) == ("  ", "")
    edits = client.ask("formatting", "a.yaml", options=options)
    assert [marked(text, one["range"]) for one in edits] == ["", "  {type: x}   ", "  "]
    opened(client, "heat_template_version: [\n")
    with pytest.raises(RequestError, match="Line 2 has a syntax error"):
        client.ask("formatting", "a.yaml", options=options)


def error_of(client: Client, request: int) -> int | None:
    """Return the code of the error response to a request; None if the request succeeds."""
    try:
        client.end(request)
    except RequestError as error:
        return int(error.code)
    return None


def test_answer_about_an_older_text_is_dropped(client: Client) -> None:
    opened(client)
    errors = set()
    for number in range(20):
        request = client.begin("textDocument/codeLens", {"textDocument": {"uri": client.uri("a.yaml")}})
        client.change("a.yaml", {"text": TEXT + f"# {number}\n" * 200})
        errors.add(error_of(client, request))
    assert -32801 in errors
    assert errors <= {None, -32801}


def test_canceled_request_has_an_error_response(client: Client) -> None:
    opened(client)
    errors = set()
    for _ in range(20):
        request = client.begin("textDocument/codeLens", {"textDocument": {"uri": client.uri("a.yaml")}})
        client.notify("$/cancelRequest", {"id": request})
        errors.add(error_of(client, request))
    assert -32800 in errors
    assert errors <= {None, -32800}


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 8), ("utf-16", 6), ("utf-32", 5)])
def test_positions_use_the_units_of_the_encoding(encoding: str, units: int) -> None:
    text = "a\r\nb: 😀x\u2028y\rc"
    positions = ProtocolPositions(text, PositionEncodingKind(encoding))
    offset = text.index("x") + 1
    assert (positions.position(offset).line, positions.position(offset).character) == (1, units)
    assert positions.offset(positions.position(offset)) == offset
    assert positions.position(len(text)).line == 2, "a lone carriage return ends a line, a line separator does not"
    assert positions.span(positions.range(Span(2, 9))) == Span(2, 9)


def test_names_are_shown_with_visible_characters(client: Client) -> None:
    text = template(2, is_valid=False)
    shown = [one["message"] for one in opened(client, text, "bad.json")]
    document = {"textDocument": {"uri": client.uri("bad.json")}}
    end = ProtocolPositions(text, PositionEncodingKind.Utf32).position(len(text))
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": end.line, "character": end.character}}
    place = {**document, "position": {"line": 0, "character": text.index("subnet_id") + 1}}
    for method, params in {
        "documentSymbol": document, "codeLens": document, "hover": place, "completion": place,
        "inlayHint": {**document, "range": whole},
        "codeAction": {**document, "range": whole, "context": {"diagnostics": []}},
    }.items():  # fmt: skip
        found = client.request(f"textDocument/{method}", params)
        for key in ("name", "detail", "label", "title", "value", "message"):
            shown += [one for one in values_of(found, key) if "\n\n" not in one or method != "hover"]
    assert any(visible(NAME) in one for one in shown)
    assert [one for one in shown if list(invisible(one))] == []


def values_of(found: Any, key: str) -> Iterator[str]:
    """Yield the texts of a key at any depth, except for those that a client inserts."""
    for name, item in found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ():
        if name == key and isinstance(item, str):
            yield item
        if name not in {"edit", "textEdit", "data", "command"}:
            yield from values_of(item, key)
