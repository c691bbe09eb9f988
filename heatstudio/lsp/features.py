"""The handlers of LSP messages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types

from heatstudio.lsp.code_actions import KINDS, code_actions, resolved
from heatstudio.lsp.code_lens import PREVIEW, code_lenses, preview
from heatstudio.lsp.completion import TRIGGERS, Completions
from heatstudio.lsp.edits import format_edits
from heatstudio.lsp.hints import hover, inlay_hints
from heatstudio.lsp.locations import definition, document_links, highlights, references
from heatstudio.lsp.open_document import path_of
from heatstudio.lsp.ranges import folding_ranges, selection_range
from heatstudio.lsp.rename import prepare_rename, rename
from heatstudio.lsp.semantic_tokens import LEGEND, semantic_tokens
from heatstudio.lsp.server import Server, is_running
from heatstudio.lsp.symbols import document_symbols, workspace_symbols
from heatstudio.lsp.workspace import View
from heatstudio.text import real_path
from heatstudio.text.invisible import visible

Find = Callable[[Server, View, Any], object]
_VIEW_FEATURES: dict[str, tuple[Find, object]] = {
    types.TEXT_DOCUMENT_DIAGNOSTIC: (
        lambda server, view, _: types.RelatedFullDocumentDiagnosticReport(server.diagnostics(view)),
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="heatstudio"),
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        lambda server, view, params: code_actions(server.heat, view, params),
        types.CodeActionOptions(KINDS, resolve_provider=True),
    ),
    types.TEXT_DOCUMENT_HOVER: (lambda _, view, params: hover(view, params.position), None),
    types.TEXT_DOCUMENT_DEFINITION: (lambda server, view, params: definition(server.heat, view, params.position), None),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: (
        lambda server, view, _: document_links(server.heat, view),
        types.DocumentLinkOptions(),
    ),
    types.TEXT_DOCUMENT_REFERENCES: (lambda server, view, params: references(server.heat, view, params), None),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (lambda _, view, params: highlights(view, params.position), None),
    types.TEXT_DOCUMENT_PREPARE_RENAME: (lambda _, view, params: prepare_rename(view, params.position), None),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (lambda _, view, __: document_symbols(view), None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (lambda _, view, __: folding_ranges(view), None),
    types.TEXT_DOCUMENT_SELECTION_RANGE: (
        lambda _, view, params: [selection_range(view, position) for position in params.positions],
        None,
    ),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (lambda _, view, __: semantic_tokens(view), LEGEND),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (lambda _, view, params: semantic_tokens(view, params.range), LEGEND),
    types.TEXT_DOCUMENT_FORMATTING: (lambda _, view, __: format_edits(view), None),
    types.TEXT_DOCUMENT_RANGE_FORMATTING: (lambda _, view, params: format_edits(view, params.range), None),
    types.TEXT_DOCUMENT_CODE_LENS: (lambda server, view, _: code_lenses(server.heat, view), types.CodeLensOptions()),
    types.TEXT_DOCUMENT_INLAY_HINT: (lambda _, view, params: inlay_hints(view, params.range), None),
}


def make_server() -> Server:
    """Return a server with all handlers registered; `serve` runs it."""
    server = Server()
    for name, (find, options) in _VIEW_FEATURES.items():
        _add_view_feature(server, name, find, options)
    _add_completion(server)
    _add_actions(server)
    _add_edits(server)
    _add_life_cycle(server)
    _add_documents(server)
    return server


def _add_view_feature(server: Server, name: str, find: Find, options: object) -> None:
    @server.feature(name, options)
    async def answer(params: Any) -> object:
        found = await server.answer_view(params.text_document.uri, lambda view: find(server, view, params))
        if found is None and name == types.TEXT_DOCUMENT_DIAGNOSTIC:  # for which the protocol has no null
            return types.RelatedFullDocumentDiagnosticReport([])
        return found


def _add_completion(server: Server) -> None:
    completions = Completions()

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(TRIGGERS, resolve_provider=True))
    async def complete(params: types.CompletionParams) -> types.CompletionList | None:
        snippets = server.can("text_document.completion.completion_item.snippet_support")
        return await server.answer(
            params.text_document.uri,
            lambda document: completions.complete(server.heat, document, params, with_snippets=snippets),
        )

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        return completions.resolve(item)


def _add_actions(server: Server) -> None:
    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        uri = action.data.get("uri") if isinstance(action.data, dict) else None
        found = await server.answer_view(str(uri), lambda view: resolved(server.heat, view, action, server.capability))
        if found is None:
            return action
        if found[1]:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, visible(found[1])))
        return found[0]


def _add_edits(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename_all(params: types.RenameParams) -> types.WorkspaceEdit | None:
        found = await server.answer_view(params.text_document.uri, lambda view: rename(server.heat, view, params))
        if found is None:
            return None
        for sentence in found[1]:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, visible(sentence)))
        return found[0]

    @server.command(PREVIEW)
    async def show_preview(uri: str) -> str | None:
        markdown = await server.answer_view(uri, lambda view: preview(server.heat, view))
        if markdown is not None:
            server.show_report(f"Update preview of {(path_of(uri) or Path(uri)).stem}", markdown)
        return markdown

    @server.feature(types.WORKSPACE_SYMBOL)
    async def symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        return await server.run(lambda: workspace_symbols(server.heat, params.query))


def _add_life_cycle(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.is_initialized = True
        if params.process_id is not None and is_running(params.process_id):  # it may be the ID in another container
            server.client_process = params.process_id
        encoding = server.workspace.position_encoding
        server.heat.encoding = types.PositionEncodingKind(encoding or types.PositionEncodingKind.Utf16)
        server.follow_folders()
        server.scheduler.start()

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        if server.can("workspace.did_change_watched_files.dynamic_registration"):
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*")])
            watch = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(types.RegistrationParams([watch]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(_: types.DidChangeWorkspaceFoldersParams) -> None:
        server.follow_folders()
        server.recheck({one.uri for one in server.heat.documents})

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.scheduler.stop()
        server.is_shut_down = True


def _add_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.heat.open(params.text_document)
        server.scheduler.request([params.text_document.uri], pause=0)
        server.recheck(_readers(server, params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.heat.change(uri, params.text_document.version, params.content_changes)
        server.scheduler.request([*_readers(server, uri), uri])

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.recheck(_readers(server, params.text_document.uri))
        if server.can("workspace.code_lens.refresh_support"):
            server.workspace_code_lens_refresh(None)  # the lenses may compare with the saved file

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.heat.close(uri)
        if not server.can("text_document.diagnostic"):
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        server.recheck(_readers(server, uri))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        server.recheck(_readers(server, *(change.uri for change in params.changes)))


def _readers(server: Server, *uris: str) -> set[str]:
    """Return the open documents whose analysis read one of the files."""
    return server.heat.core.readers(real_path(path) for uri in uris if (path := path_of(uri)) is not None)
