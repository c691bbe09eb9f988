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
_SIZES = "Pane Si&zes and Tabs"
Menu = tuple[str, tuple[Command | None, ...]]

MENUS: tuple[Menu, ...] = (
    (
        "&File",
        (
            Command("new", "&New Template", ("Ctrl+N",), "file-new"),
            Command("open", "&Open…", ("Ctrl+O",), "file-open"),
            Command("open-folder", "Open F&older…", ("Ctrl+Shift+E",), "file-open"),
            Command("open-sample", "Open &Sample Template", icon="file"),
            SEPARATOR,
            Command("save", "&Save", ("Ctrl+S",), "file-save"),
            Command("save-as", "Save &As…", ("Ctrl+Shift+S",)),
            Command("save-utf8", "Save &with UTF-8"),
            Command("save-all", "Save A&ll", ("Ctrl+Alt+S",)),
            Command("autosave", "A&uto Save When Window Loses Focus", checkable=True),
            Command("reload", "&Reload from Disk"),
            Command("environments", "&Environments…", ("Ctrl+E",)),
            SEPARATOR,
            Command("settings", "Se&ttings…", ("Ctrl+,",)),
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
            Command("select-all", "Select &All", ("Ctrl+A",)),
            SEPARATOR,
            Command("find", "&Find", ("Ctrl+F",), "search"),
            Command("replace", "&Replace", ("Ctrl+H",)),
            Command("find-in-files", "Find and Replace in Files", ("Ctrl+Shift+F",), "search"),
            Command("find-next", "Find &Next", ("F3",)),
            Command("find-previous", "Find Pre&vious", ("Shift+F3",)),
            SEPARATOR,
            Command("complete", "Co&mplete", ("Ctrl+Space",)),
            Command("hover", "Sho&w Hover", ("Ctrl+I",)),
            Command("toggle-comment", "Toggle C&omment", ("Ctrl+/",)),
            Command("indent", "&Indent Lines", ("Ctrl+]",)),
            Command("unindent", "Un&indent Lines", ("Ctrl+[",)),
            Command("move-up", "Move Line Up", ("Alt+Up",)),
            Command("move-down", "Move Line Down", ("Alt+Down",)),
            Command("duplicate", "&Duplicate Line", ("Ctrl+Shift+D",)),
            Command("delete-line", "D&elete Line", ("Ctrl+Shift+K",)),
        ),
    ),
    (
        "&View",
        (
            Command("command-palette", "Command &Palette…", ("Ctrl+Shift+P",), "search", button="Commands"),
            SEPARATOR,
            Command("left", "&Left Panes", ("Ctrl+B",)),
            Command("right", "&Right Panes", ("Ctrl+Alt+B",)),
            Command("bottom", "&Bottom Panes", ("Ctrl+J",)),
            Command("only-text", "&Zen Mode", ("F11",)),
            Command("wider", "Make Pane &Wider", ("Alt+Shift+Right",), submenu=_SIZES),
            Command("narrower", "Make Pane &Narrower", ("Alt+Shift+Left",), submenu=_SIZES),
            Command("taller", "Make Pane &Taller", ("Alt+Shift+Up",), submenu=_SIZES),
            Command("shorter", "Make Pane &Shorter", ("Alt+Shift+Down",), submenu=_SIZES),
            Command("tab-left", "Move Tab &Left", ("Ctrl+Shift+PgUp",), submenu=_SIZES),
            Command("tab-right", "Move Tab &Right", ("Ctrl+Shift+PgDown",), submenu=_SIZES),
            SEPARATOR,
            Command("show-types", "Resource &Types", ("Ctrl+Shift+T",), "browser"),
            Command("show-files", "&Files", ("Ctrl+Alt+E",), "file-open"),
            Command("show-outline", "&Outline", ("Ctrl+Shift+L",), "outline"),
            Command("show-problems", "Pro&blems", ("Ctrl+Shift+M",), "problems"),
            Command("show-preview", "&Update Preview", ("Ctrl+Alt+D",), "preview", button="Preview"),
            Command("show-graph", "&Graph", ("Ctrl+Shift+G",), "graph"),
            Command("show-parameters", "P&arameters", ("Ctrl+Shift+U",), "parameters"),
            Command("show-type-page", "T&ype Page", ("Ctrl+Alt+T",), "kind-resource"),
            SEPARATOR,
            Command("theme-system", "&System Theme", checkable=True),
            Command("theme-light", "L&ight Theme", checkable=True),
            Command("theme-dark", "&Dark Theme", checkable=True),
            Command("theme-high-contrast", "&High Contrast Theme", checkable=True),
            SEPARATOR,
            Command("messages", "Messages at Line &Ends", checkable=True),
            Command("blanks", "Show W&hitespace", checkable=True),
            Command("wrap", "&Word Wrap", ("Alt+Z",), checkable=True),
            SEPARATOR,
            Command("fold", "&Fold", ("Ctrl+Shift+[", "Ctrl+{")),
            Command("unfold", "&Unfold", ("Ctrl+Shift+]", "Ctrl+}")),
            Command("fold-all", "Fold All Resources", ("Ctrl+Alt+[",)),
            Command("unfold-all", "Unfold All", ("Ctrl+Alt+]",)),
            SEPARATOR,
            Command("text-font", "Text Fo&nt…"),
            Command("zoom-in", "Zoom &In", ("Ctrl+=", "Ctrl++")),
            Command("zoom-out", "Zoom &Out", ("Ctrl+-",)),
            Command("zoom-reset", "Reset &Zoom", ("Ctrl+0",)),
        ),
    ),
    (
        "&Go",
        (
            Command("back", "&Back", ("Alt+Left",), "chevron-left"),
            Command("forward", "&Forward", ("Alt+Right",), "chevron-right"),
            SEPARATOR,
            Command("locate", "Go to &Anything…", ("Ctrl+K",), "search"),
            Command("symbol", "Go to &Resource or Parameter…", ("Ctrl+Shift+O",), "outline"),
            Command("file", "Go to &File…", ("Ctrl+P",)),
            Command("go-to-line", "Go to &Line…", ("Ctrl+G",)),
            SEPARATOR,
            Command("definition", "Go to &Definition", ("F12",), "jump"),
            Command("references", "Find All References…", ("Shift+F12",)),
            SEPARATOR,
            Command("next-problem", "&Next Problem", ("F8",)),
            Command("previous-problem", "&Previous Problem", ("Shift+F8",)),
            SEPARATOR,
            Command("next-tab", "Next T&ab", ("Ctrl+Tab", "Ctrl+PgDown")),
            Command("previous-tab", "Previous Ta&b", ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
            Command("editor", "Focus &Editor", ("Ctrl+1",)),
            Command("next-part", "Focus Next Part of &Window", ("F6",)),
            Command("previous-part", "Focus Previous Part", ("Shift+F6",)),
        ),
    ),
    (
        "&Template",
        (
            Command("fix", "Show &Fixes…", ("Alt+Return", "Ctrl+."), "fix", button="Fixes"),
            Command("fix-preferred", "Apply &Preferred Fix", ("Shift+Alt+.",)),
            Command("fix-all", "Apply &All Safe Fixes", ("Ctrl+Alt+F",)),
            Command("fix-files", "Fix All in &Files or Folder…", ("Ctrl+Shift+Alt+F",)),
            SEPARATOR,
            Command("rename", "&Rename…", ("F2",)),
            Command("extract", "E&xtract Parameter", ("Ctrl+Alt+X",)),
            Command("extract-all", "Extract Parameter from &Equal Values", ("Ctrl+Alt+Shift+X",)),
            SEPARATOR,
            Command("explain", "&Explain Problem", ("F1",), "severity-information"),
            Command("check", "&Check Again", ("F5",), "check", button="Check"),
            Command("stop", "&Cancel Running Task", ("Shift+F5",), "close"),
            Command("insert", "&Insert Resource…", ("Ctrl+Shift+I",), "insert"),
            SEPARATOR,
            Command("keep-snippet", "&Save as Snippet"),
            Command("convert", "Convert Between &HOT and CFN"),
            Command("client-versions", "Cloud API &Versions…"),
        ),
    ),
    (
        "&Stack",
        (
            Command("preview", "&Preview Update", ("F9",), "preview"),
            Command("compare-text", "Compare with &Baseline", ("Ctrl+Alt+Shift+D",)),
            Command("next-change", "&Next Change", ("F7",)),
            Command("previous-change", "Pre&vious Change", ("Shift+F7",)),
            SEPARATOR,
            Command("against-saved", "Compare with &Saved File"),
            Command("against-git", "Compare with &Git HEAD"),
            Command("against-revision", "Compare with Git &Revision…"),
            Command("against-file", "Compare with &File…"),
            Command("against-stack", "Compare with Exported S&tack…"),
            Command("against-environments", "Compare with Other En&vironments…"),
            SEPARATOR,
            Command("copy-preview", "&Copy Preview as Markdown"),
            Command("export-preview", "&Export Preview as JSON…"),
            SEPARATOR,
            Command("export-graph", "Export Gra&ph as Image…"),
        ),
    ),
    (
        "&Cloud",
        (
            Command("show-cloud", "&Clouds and Stacks", ("Ctrl+Alt+C",), "cloud"),
            Command("cloud-refresh", "&Refresh Stacks"),
            Command("cloud-catalog", "Refresh Cloud Capa&bilities"),
            Command("cloud-import", "Import Resource T&ypes from Files…"),
            Command("cloud-forget", "For&get Imported Types"),
            Command("cloud-disconnect", "&Disconnect"),
            SEPARATOR,
            Command("cloud-open", "&Open Stack Template"),
            Command("cloud-compare", "Co&mpare with Stack"),
            Command("cloud-follow", "&Follow Stack Events"),
            SEPARATOR,
            Command("show-heat", "&Heat Results", ("Ctrl+Alt+H",)),
            Command("cloud-opinion", "Val&idate with Heat", ("Ctrl+Alt+V",), "check"),
            Command("cloud-preview", "Dry-&run the Update"),
            SEPARATOR,
            Command("cloud-create", "Create &Stack…", icon="insert"),
            Command("cloud-update", "&Update Stack…"),
        ),
    ),
    (
        "&Help",
        (
            Command("first-steps", "&First Steps", icon="jump"),
            Command("shortcuts", "Keyboard &Shortcuts", ("Ctrl+F1",)),
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
        *("save", "save-as", "save-utf8", "reload", "close", "undo", "redo", "cut"),
        *("copy", "paste", "select-all", "symbol", "editor"),
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
SWITCHES = {"messages": True, "blanks": False, "wrap": False}
"""What every editor shows or not, and how it begins."""
REMEMBERED = {**SWITCHES, "autosave": False}
"""Every command that can be checked and is the same after a restart; and what it usually is."""
COMMANDS: dict[str, Command] = {
    command.name: command for _, entries in MENUS for command in entries if command is not SEPARATOR
}
