"""Completion; the client requests the documentation of a suggestion with `completionItem/resolve`."""

from collections.abc import Sequence
from itertools import count

from lsprotocol import types

from heatstudio.analysis.assist.suggestion import Completion
from heatstudio.lsp.open_document import OpenDocument
from heatstudio.lsp.workspace import ClientWorkspace
from heatstudio.text.invisible import visible
from heatstudio.text.markup import Markdown
from heatstudio.text.snippet import indent_snippet, parse_snippet

TRIGGERS = [":", " ", "-", ".", "[", ",", "/", '"', "'"]
_KINDS = {
    "section": types.CompletionItemKind.Module,
    "type": types.CompletionItemKind.Class,
    "property": types.CompletionItemKind.Property,
    "resource": types.CompletionItemKind.Variable,
    "parameter": types.CompletionItemKind.Variable,
    "condition": types.CompletionItemKind.Event,
    "attribute": types.CompletionItemKind.Field,
    "function": types.CompletionItemKind.Function,
    "value": types.CompletionItemKind.Value,
}


class Completions:
    """The last suggestions, stored so that each can be resolved."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._last: tuple[int, Sequence[Completion]] = (0, ())

    def complete(
        self, workspace: ClientWorkspace, document: OpenDocument, params: types.CompletionParams, *, with_snippets: bool
    ) -> types.CompletionList:
        """Return the suggestions at a position, the most likely first."""
        offset = document.positions.offset(params.position)
        trigger = params.context.trigger_kind if params.context is not None else None
        is_explicit = trigger is not types.CompletionTriggerKind.TriggerCharacter
        found = workspace.language(document).complete(offset, explicit=is_explicit)
        number = next(self._numbers)  # other requests may be answered in other threads meanwhile
        self._last = number, found
        items = [self._item(document, [number, index], one, with_snippets) for index, one in enumerate(found)]
        return types.CompletionList(False, items)

    def resolve(self, item: types.CompletionItem) -> types.CompletionItem:
        """Return a suggestion, with its documentation if it is one of the last suggestions."""
        data, (number, last) = item.data, self._last
        if isinstance(data, list) and len(data) == 2 and data[0] == number:
            found = last[data[1]].documentation
            if found is not None:
                item.documentation = types.MarkupContent(types.MarkupKind.Markdown, Markdown.popup(*found))
        return item

    def _item(
        self, document: OpenDocument, data: list[int], found: Completion, with_snippets: bool
    ) -> types.CompletionItem:
        text = found.insert_text if with_snippets else _plain_text(found, document.text)
        return types.CompletionItem(
            visible(found.label),
            kind=_KINDS.get(found.kind, types.CompletionItemKind.Value),
            tags=[types.CompletionItemTag.Deprecated] if found.deprecated else None,
            detail=visible(found.detail) or None,
            sort_text=found.sort_key,
            insert_text_format=types.InsertTextFormat.Snippet if with_snippets else types.InsertTextFormat.PlainText,
            insert_text_mode=types.InsertTextMode.AdjustIndentation if with_snippets else types.InsertTextMode.AsIs,
            text_edit=types.TextEdit(document.positions.range(found.replace), text),
            additional_text_edits=[
                types.TextEdit(document.positions.range(span), new) for span, new in found.further_edits
            ]
            or None,
            data=data,
        )


def _plain_text(found: Completion, text: str) -> str:
    """Return the text of a suggestion with indentation added: a client without snippets inserts text unchanged."""
    line = text[text.rfind("\n", 0, found.replace.start) + 1 : found.replace.start]
    return indent_snippet(parse_snippet(found.insert_text).text, line[: len(line) - len(line.lstrip(" \t"))])
