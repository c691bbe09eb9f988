"""Every command of the window, declared once: menus, tool bar, shortcuts and the command palette read it."""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """Something the user can ask for. `&` marks the key of the menu entry."""

    name: str
    text: str
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    button: str = ""
    """A shorter text for the tool bar."""
    submenu: str = ""
    """The title of a menu within the menu, which all commands share that name it."""

    @property
    def title(self) -> str:
        """The text without the mark of its key."""
        return self.text.replace("&", "").removesuffix("…")


SEPARATOR = None
_SIZES = "Pane si&zes and tabs"
Menu = tuple[str, tuple[Command | None, ...]]

MENUS: tuple[Menu, ...] = (
    (
        "&File",
        (
            Command("new", "&New template", ("Ctrl+N",), "file-new"),
            Command("open", "&Open…", ("Ctrl+O",), "file-open"),
            Command("open-folder", "Open a f&older…", ("Ctrl+Shift+E",), "file-open"),
            Command("open-sample", "Open the &sample template", icon="file"),
            SEPARATOR,
            Command("save", "&Save", ("Ctrl+S",), "file-save"),
            Command("save-as", "Save &as…", ("Ctrl+Shift+S",)),
            Command("save-all", "Save a&ll", ("Ctrl+Alt+S",)),
            Command("reload", "&Reload from disk"),
            Command("environments", "&Environments…", ("Ctrl+E",)),
            SEPARATOR,
            Command("close", "&Close", ("Ctrl+W",)),
            Command("quit", "&Quit", ("Ctrl+Q",)),
        ),
    ),
    (
        "&Edit",
        (
            Command("undo", "&Undo", ("Ctrl+Z",), "undo"),
            Command("redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
            SEPARATOR,
            Command("cut", "Cu&t", ("Ctrl+X",)),
            Command("copy", "&Copy", ("Ctrl+C",), "copy"),
            Command("paste", "&Paste", ("Ctrl+V",)),
            Command("select-all", "Select &all", ("Ctrl+A",)),
            SEPARATOR,
            Command("find", "&Find", ("Ctrl+F",), "search"),
            Command("replace", "&Replace", ("Ctrl+H",)),
            Command("find-next", "Find &next", ("F3",)),
            Command("find-previous", "Find pre&vious", ("Shift+F3",)),
            SEPARATOR,
            Command("complete", "Co&mplete", ("Ctrl+Space",)),
            Command("hover", "&What is this?", ("Ctrl+I",)),
            Command("toggle-comment", "Toggle c&omment", ("Ctrl+/",)),
            Command("indent", "&Indent lines", ("Ctrl+]",)),
            Command("unindent", "Un&indent lines", ("Ctrl+[",)),
            Command("move-up", "Move line up", ("Alt+Up",)),
            Command("move-down", "Move line down", ("Alt+Down",)),
            Command("duplicate", "&Duplicate line", ("Ctrl+Shift+D",)),
            Command("delete-line", "D&elete line", ("Ctrl+Shift+K",)),
        ),
    ),
    (
        "&View",
        (
            Command("command-palette", "Command &palette…", ("Ctrl+Shift+P",), "search", button="Commands"),
            SEPARATOR,
            Command("left", "&Left panes", ("Ctrl+B",)),
            Command("right", "&Right panes", ("Ctrl+Alt+B",)),
            Command("bottom", "&Bottom panes", ("Ctrl+J",)),
            Command("only-text", "The &text alone", ("F11",)),
            Command("wider", "Make this pane &wider", ("Alt+Shift+Right",), submenu=_SIZES),
            Command("narrower", "Make this pane &narrower", ("Alt+Shift+Left",), submenu=_SIZES),
            Command("taller", "Make this pane &taller", ("Alt+Shift+Up",), submenu=_SIZES),
            Command("shorter", "Make this pane &shorter", ("Alt+Shift+Down",), submenu=_SIZES),
            Command("tab-left", "Move the tab to the &left", ("Ctrl+Shift+PgUp",), submenu=_SIZES),
            Command("tab-right", "Move the tab to the &right", ("Ctrl+Shift+PgDown",), submenu=_SIZES),
            SEPARATOR,
            Command("show-types", "Resource &types", ("Ctrl+Shift+T",), "browser"),
            Command("show-outline", "&Outline", ("Ctrl+Shift+L",), "outline"),
            Command("show-problems", "Pro&blems", ("Ctrl+Shift+M",), "problems"),
            Command("show-preview", "&Update preview", ("Ctrl+Alt+D",), "preview", button="Preview"),
            Command("show-graph", "&Graph", ("Ctrl+Shift+G",), "graph"),
            Command("show-parameters", "P&arameters", ("Ctrl+Shift+U",), "parameters"),
            Command("show-type-page", "T&ype page", ("Ctrl+Alt+T",), "kind-resource"),
            SEPARATOR,
            Command("theme-system", "Colors of the &system", checkable=True),
            Command("theme-light", "L&ight colors", checkable=True),
            Command("theme-dark", "&Dark colors", checkable=True),
            Command("theme-high-contrast", "&High contrast", checkable=True),
            SEPARATOR,
            Command("messages", "Messages at line &ends", checkable=True),
            Command("blanks", "Bla&nks", checkable=True),
            SEPARATOR,
            Command("fold", "&Fold", ("Ctrl+Shift+[", "Ctrl+{")),
            Command("unfold", "&Unfold", ("Ctrl+Shift+]", "Ctrl+}")),
            Command("fold-all", "Fold all resources", ("Ctrl+Alt+[",)),
            Command("unfold-all", "Unfold all", ("Ctrl+Alt+]",)),
            SEPARATOR,
            Command("zoom-in", "&Larger text", ("Ctrl+=", "Ctrl++")),
            Command("zoom-out", "&Smaller text", ("Ctrl+-",)),
            Command("zoom-reset", "&Normal text", ("Ctrl+0",)),
        ),
    ),
    (
        "&Go",
        (
            Command("back", "&Back", ("Alt+Left",), "chevron-left"),
            Command("forward", "&Forward", ("Alt+Right",), "chevron-right"),
            SEPARATOR,
            Command("locate", "To &anything…", ("Ctrl+K",), "search"),
            Command("symbol", "To a &resource or parameter…", ("Ctrl+Shift+O",), "outline"),
            Command("file", "To an open &file…", ("Ctrl+P",)),
            Command("go-to-line", "To a &line…", ("Ctrl+G",)),
            SEPARATOR,
            Command("definition", "To the &definition", ("F12",), "jump"),
            Command("references", "To all &uses of a name…", ("Shift+F12",)),
            SEPARATOR,
            Command("next-problem", "&Next problem", ("F8",)),
            Command("previous-problem", "&Previous problem", ("Shift+F8",)),
            SEPARATOR,
            Command("next-tab", "Next t&ab", ("Ctrl+Tab", "Ctrl+PgDown")),
            Command("previous-tab", "Previous ta&b", ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
            Command("editor", "To the &text", ("Ctrl+1",)),
            Command("next-part", "To the next part of the &window", ("F6",)),
            Command("previous-part", "To the part before &it", ("Shift+F6",)),
        ),
    ),
    (
        "&Template",
        (
            Command("fix", "Show &fixes…", ("Alt+Return", "Ctrl+."), "fix", button="Fixes"),
            Command("fix-preferred", "Apply the &preferred fix", ("Shift+Alt+.",)),
            Command("fix-all", "Apply &all safe fixes", ("Ctrl+Alt+F",)),
            Command("fix-files", "Fix all in &files or a folder…", ("Ctrl+Shift+Alt+F",)),
            SEPARATOR,
            Command("rename", "&Rename…", ("F2",)),
            Command("extract", "E&xtract a parameter", ("Ctrl+Alt+X",)),
            Command("extract-all", "Extract a parameter from &equal values", ("Ctrl+Alt+Shift+X",)),
            SEPARATOR,
            Command("explain", "&Explain the problem", ("Ctrl+F1",), "severity-information"),
            Command("check", "&Check again", ("F5",), "check", button="Check"),
            Command("stop", "&Stop what runs", ("Shift+F5",), "close"),
            Command("insert", "&Insert a resource…", ("Ctrl+Shift+I",), "insert"),
            SEPARATOR,
            Command("keep-snippet", "&Keep it as a snippet of your own"),
            Command("convert", "Write it in the other &language (HOT or CFN)"),
            Command("client-versions", "API &versions of your cloud…"),
        ),
    ),
    (
        "&Stack",
        (
            Command("preview", "&Preview the update", ("F9",), "preview"),
            Command("compare-text", "Compare with the &old side", ("Ctrl+Alt+Shift+D",)),
            Command("next-change", "&Next change", ("F7",)),
            Command("previous-change", "Pre&vious change", ("Shift+F7",)),
            SEPARATOR,
            Command("against-saved", "Compare with the &saved text"),
            Command("against-git", "Compare with &git HEAD"),
            Command("against-revision", "Compare with a git &revision…"),
            Command("against-file", "Compare with a &file…"),
            Command("against-stack", "Compare with an exported s&tack…"),
            Command("against-environments", "Compare with other en&vironments…"),
            SEPARATOR,
            Command("copy-preview", "&Copy the preview as Markdown"),
            Command("export-preview", "&Export the preview as JSON…"),
            SEPARATOR,
            Command("export-graph", "Export the gra&ph as a picture…"),
        ),
    ),
    (
        "&Cloud",
        (
            Command("show-cloud", "&Clouds and stacks", ("Ctrl+Alt+C",), "cloud"),
            Command("cloud-refresh", "&Read the stacks again"),
            Command("cloud-catalog", "Read &what the cloud has again"),
            Command("cloud-import", "Read t&ypes of a cloud from files…"),
            Command("cloud-forget", "For&get the types read from files"),
            Command("cloud-disconnect", "&Disconnect"),
            SEPARATOR,
            Command("cloud-open", "&Open the stack's template"),
            Command("cloud-compare", "Co&mpare with the stack"),
            Command("cloud-follow", "&Follow the stack's events"),
            SEPARATOR,
            Command("show-heat", "What &Heat says", ("Ctrl+Alt+H",)),
            Command("cloud-opinion", "Ask Heat's op&inion", ("Ctrl+Alt+V",), "check"),
            Command("cloud-preview", "Ask Heat to &try the update"),
            SEPARATOR,
            Command("cloud-create", "Create a &stack…", icon="insert"),
            Command("cloud-update", "&Update the stack…"),
        ),
    ),
    (
        "&Help",
        (
            Command("tour", "Take the &tour", icon="jump"),
            Command("shortcuts", "&Shortcuts", ("F1",)),
            Command("about", "&About Heat Studio"),
        ),
    ),
)
TOOL_BAR: tuple[str | None, ...] = (
    *("open", "save", SEPARATOR, "undo", "redo", SEPARATOR),
    *("check", "fix", SEPARATOR, "show-preview", "command-palette"),
)
FOR_EDITOR = (
    *("find", "replace", "find-next", "find-previous", "go-to-line", "next-problem", "previous-problem", "complete"),
    *("hover", "toggle-comment", "indent", "unindent", "move-up", "move-down", "duplicate", "delete-line"),
    *("fold", "unfold", "fold-all", "unfold-all"),
)
"""Commands that the current editor knows by the same name."""
NEED_DOCUMENT = frozenset(
    (
        *(
            "save",
            "save-as",
            "reload",
            "close",
            "undo",
            "redo",
            "cut",
            "copy",
            "paste",
            "select-all",
            "symbol",
            "editor",
        ),
        *("fix", "fix-preferred", "fix-all", "environments", "rename", "extract", "extract-all", "definition"),
        *("editor", "references", "convert", "keep-snippet", "preview", "copy-preview", "export-preview"),
        *("against-saved", "against-git", "against-revision", "against-file", "against-stack", "against-environments"),
        "explain",
        *("tab-left", "tab-right", "export-graph", "compare-text", "next-change", "previous-change"),
        *("cloud-opinion", "cloud-preview", "cloud-create", "cloud-update"),
        *FOR_EDITOR,
    )
)
"""Commands that make no sense without a document."""
FOR_ALL_EDITORS = ("zoom-in", "zoom-out", "zoom-reset")
SWITCHES = {"messages": True, "blanks": False}
"""What every editor shows or not, and how it begins."""
COMMANDS: dict[str, Command] = {
    command.name: command for _, entries in MENUS for command in entries if command is not SEPARATOR
}
